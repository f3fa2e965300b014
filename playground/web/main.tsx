// SPDX-License-Identifier: Apache-2.0
import { render } from 'preact';
import { INITIAL_STATE, type ChatState } from './state/chat-state.js';
import { ChatSession } from './state/session.js';
import { App } from './view/app.js';

const root = document.getElementById('app');
if (root === null) throw new Error('The page has no element #app.');

const session = new ChatSession(show);
show(INITIAL_STATE);
session.start();

/** Draws a state at once, so that whoever changed it finds it on the screen. */
function show(state: ChatState): void {
  render(<App state={state} session={session} />, root as HTMLElement);
}
