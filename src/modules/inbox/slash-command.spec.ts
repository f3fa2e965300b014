// SPDX-License-Identifier: Apache-2.0
import { slashCommand } from './slash-command.js';

describe('slashCommand', () => {
  it.each([
    ['/queue@bot later', 'queue'],
    ['/Q x', 'q'],
    ['/stop', 'stop'],
    ['/nosuch x', 'nosuch'],
    ['/new\nnext line', 'new'],
    ['/usr/bin', null],
    ['/', null],
    ['/@bot', null],
    ['hello /stop', null],
    ['', null],
  ])('reads %j as %j', (text, expected) => {
    expect(slashCommand(text)).toBe(expected);
  });
});
