// SPDX-License-Identifier: Apache-2.0
import type { IncomingMessage } from 'node:http';
import { type Violation, violation } from './checks.js';

/** Checks the upgrade request of a client whose key is right (bpp 1.1, 1.2). */
export function checkUpgrade(request: IncomingMessage): Violation | null {
  const { headers } = request;
  if (headers.origin !== undefined) return violation('no-origin', 'header Origin');
  if (headers['sec-websocket-protocol'] !== undefined)
    return violation('no-subprotocol', 'header Sec-WebSocket-Protocol');
  if (headers.cookie !== undefined) return violation('no-cookie', 'header Cookie');
  if (request.url?.includes('?') === true) return violation('no-query', 'query in the address');
  return null;
}
