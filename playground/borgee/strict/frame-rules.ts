// SPDX-License-Identifier: Apache-2.0
import {
  checkClientFrame,
  type ClientFrame,
  type FrameProblem,
  MAX_CLIENT_FRAME_BYTES,
  MAX_RESPONSE_FRAME_BYTES,
} from '../../../src/modules/gateway/borgee/wire/index.js';
import { type StrictCheck, type Violation, violation } from './checks.js';

/** What a message of the client turned out to be. */
export type ReadFrame = { readonly frame: ClientFrame } | { readonly broken: Violation };

/** Checks one message by itself: text, size, JSON, type, fields and the JSON inside strings. */
export function readClientFrame(data: Buffer, isBinary: boolean): ReadFrame {
  if (isBinary) return { broken: violation('text-frame', `binary message of ${data.length} bytes`) };
  const checked = checkClientFrame(data.toString('utf8'));
  if (!checked.ok) return { broken: brokenBy(checked.problem, data.length) };
  if (checked.value.type === 'typing') return { broken: violation('no-typing', 'typing') };
  return { frame: checked.value };
}

function brokenBy(problem: FrameProblem, bytes: number): Violation {
  const place = [problem.type, problem.field].filter((part) => part !== '').join('.');
  return violation(checkOf(problem, bytes), `${place === '' ? 'frame' : place}: ${problem.rule}, ${bytes} bytes`);
}

/** Which named check a problem of the schema breaks. A frame that is too large is that first, whatever else is wrong with it. */
function checkOf(problem: FrameProblem, bytes: number): StrictCheck {
  const limit = problem.type === 'response' ? MAX_RESPONSE_FRAME_BYTES : MAX_CLIENT_FRAME_BYTES;
  if (problem.rule === 'size' || bytes > limit) return 'frame-size';
  if (problem.rule === 'unknown_type') return 'known-type';
  if (problem.field === '' && (problem.rule === 'json' || problem.rule === 'object')) return 'frame-json';
  if (problem.type === '' && problem.field === 'type') return 'frame-json';
  if (problem.field === 'capabilities' || problem.field === 'payload') {
    return problem.rule === 'json' || problem.rule === 'object' ? 'nested-json' : 'frame-fields';
  }
  return 'frame-fields';
}
