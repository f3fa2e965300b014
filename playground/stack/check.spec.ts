// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { ModelEntry, PlaygroundEntry } from '../record/index.js';
import { judgeEvidence } from './check.js';
import { EVIDENCE_FILES } from './stack.js';

const PLACE = { message_id: 'm1', channel_id: 'general' };
const TASK = { task_id: 'borgee-1-000000000001', channel_id: 'general', repeated: false };
const INBOUND = {
  type: 'inbound_message',
  kind: 'message',
  ...PLACE,
  agent_id: 'agent',
  author_id: 'mira',
  body: 'question',
};

const PLAYGROUND: readonly PlaygroundEntry[] = [
  {
    kind: 'sent',
    ...PLACE,
    channel_type: 'channel',
    author_id: 'mira',
    body: 'question',
    delivered_as: 'message',
    agent_online: true,
  },
  { kind: 'frame', dir: 'out', conn: 1, type: 'inbound_message', bytes: 9, frame: INBOUND },
  { kind: 'task_started', ...TASK },
  { kind: 'answer', message_id: 'a1', channel_id: 'general', reply_to_id: 'm1', content: 'the answer' },
  { kind: 'task_finished', ...TASK, outcome: 'completed', reason: '' },
];
const MODEL: readonly ModelEntry[] = [
  {
    kind: 'chat',
    request: 1,
    method: 'POST',
    path: '/v1/chat/completions',
    stream: true,
    tag: null,
    step: null,
    system: 'prompt',
    user: ['[Mira] question'],
    last_user: '[Mira] question',
    last_role: 'user',
    tools: ['terminal'],
  },
  { kind: 'closed', request: 1, status: 200, complete: true, text: 'the answer' },
];

describe('[PLY-1] [TST-2] the evidence of a check', () => {
  let folder: string;
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'evidence-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function write(playground: readonly PlaygroundEntry[], model: readonly ModelEntry[]): void {
    const lines = (entries: readonly object[], begin: number): string =>
      entries.map((entry, n) => `${JSON.stringify({ n, at: begin + n * 10, mono_ns: '0', ...entry })}\n`).join('');
    writeFileSync(join(folder, EVIDENCE_FILES.playground), lines(playground, 1_000));
    writeFileSync(join(folder, EVIDENCE_FILES.model), lines(model, 1_025));
    const ledger = new DatabaseSync(join(folder, EVIDENCE_FILES.ledger));
    ledger.exec(`
      CREATE TABLE receipts (ingest_seq, message_id, channel_id, lane, state, outcome, attempt, received_at, started_at, ended_at,
        dispatch_class);
      CREATE TABLE outbox (id, ingest_seq, kind, state, code, message_id);
      INSERT INTO receipts VALUES (1, 'm1', 'general', 'lane', 4, 'hermes_completed', 1, 1011, 1020, 1035, 0);
      INSERT INTO outbox VALUES (1, 1, 0, 2, NULL, 'a1');`);
    ledger.close();
  }

  it('is judged from the files alone', () => {
    write(PLAYGROUND, MODEL);
    expect(judgeEvidence(folder)).toEqual({ answers: 1, lost: [], repeated: [], violations: [], holds: true });
  });

  it('counts a message that was sent and never delivered as lost', () => {
    write(PLAYGROUND.slice(0, 1), []);
    expect(judgeEvidence(folder)).toMatchObject({ answers: 0, lost: ['m1'], holds: false });
    expect(judgeEvidence(folder, [])).toMatchObject({ lost: [] });
  });

  it('counts a strict check that the client broke', () => {
    write([...PLAYGROUND, { kind: 'violation', conn: 1, check: 'typing-frame', detail: 'sent one' }], MODEL);
    expect(judgeEvidence(folder)).toMatchObject({
      violations: [{ invariant: 'strictChecks', what: 'typing-frame: sent one' }],
      holds: false,
    });
  });
});
