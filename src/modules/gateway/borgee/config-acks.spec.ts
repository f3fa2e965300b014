// SPDX-License-Identifier: Apache-2.0
import { ConfigAcks } from './config-acks.js';
import type { AgentConfigUpdateFrame } from './wire/index.js';

const update = (cursor: number, key: string): AgentConfigUpdateFrame => ({
  type: 'agent_config_update',
  cursor,
  agent_id: 'ag_1',
  schema_version: 3,
  blob: '{}',
  idempotency_key: key,
  created_at: 1,
});
const cursorOf = (ack: string): unknown => (JSON.parse(ack) as { cursor: unknown }).cursor;

describe('[BPP-6] config updates (bpp 3.7)', () => {
  it('are refused with a legal reason (vector of bpp 10)', () => {
    expect(new ConfigAcks(256).answer(update(7, 'k1'))).toBe(
      '{"type":"agent_config_ack","cursor":7,"agent_id":"ag_1","schema_version":3,"idempotency_key":"k1","status":"rejected","reason":"unknown","applied_at":0}',
    );
  });

  it('get the remembered ack when they are repeated, old cursor included', () => {
    const acks = new ConfigAcks(256);
    acks.answer(update(7, 'k1'));
    expect(cursorOf(acks.answer(update(9, 'k1')))).toBe(7);
    expect(cursorOf(acks.answer(update(9, 'k2')))).toBe(9);
  });

  it('are forgotten by last use', () => {
    const acks = new ConfigAcks(2);
    acks.answer(update(1, 'a'));
    acks.answer(update(2, 'b'));
    acks.answer(update(3, 'a'));
    acks.answer(update(4, 'c'));
    expect(cursorOf(acks.answer(update(5, 'a')))).toBe(1);
    expect(cursorOf(acks.answer(update(6, 'b')))).toBe(6);
  });
});
