// SPDX-License-Identifier: Apache-2.0
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { newReceipt } from '../../support/store.js';
import { InlineLedgerStore } from '../../support/inline-ledger-store.js';
import { StoreWorld } from './store-world.js';

const FIXTURE = join('test', 'conformance', 'store', 'fixtures', 'ledger-0.1.0.sql');

/** Columns that both schemas have, in one order. */
const RECEIPTS = `SELECT ingest_seq, dedupe_key, evidence, sightings, state, kind, lane, channel_id, channel_type, message_id, author_id,
  author_name, context, source_created_at, received_at, claim, attempt, released, started_at, withdrawn, task_opened_at, ended_at, outcome,
  error_code, body FROM receipts ORDER BY ingest_seq`;
const OUTBOX = `SELECT id, ingest_seq, channel_id, kind, handle, part, reply_to, state, code, message_id, created_at, updated_at, content
  FROM outbox ORDER BY id`;

describe('[U-4] a ledger of version 0.1.0', () => {
  let world: StoreWorld;
  let receipts: unknown[];
  let outbox: unknown[];

  beforeEach(() => {
    world = new StoreWorld((options) => new InlineLedgerStore(options));
    const { path } = world.place;
    mkdirSync(dirname(path), { mode: 0o700 });
    writeFileSync(path, '', { mode: 0o600 });
    const db = new Database(path);
    db.exec(readFileSync(FIXTURE, 'utf8'));
    receipts = db.prepare(RECEIPTS).all();
    outbox = db.prepare(OUTBOX).all();
    db.close();
  });
  afterEach(() => world.end());

  it('[U-4] keeps every row and value, and gets the ordinary class', async () => {
    await world.open();
    expect(await world.rows(RECEIPTS)).toEqual(receipts);
    expect(receipts).toHaveLength(11);
    const classes = 'SELECT DISTINCT dispatch_class AS class, emptied, source_body AS source FROM receipts';
    expect(await world.rows(classes)).toEqual([{ class: 0, emptied: 0, source: null }]);
    expect(await world.rows(OUTBOX)).toEqual(outbox);
    expect(await world.rows('SELECT * FROM pragma_foreign_key_check')).toEqual([]);
    expect(await world.rows("SELECT name FROM sqlite_master WHERE name LIKE '%before%'")).toEqual([]);
  });

  it('[U-4] [INB-3] opens with what it left: claims, doubts, tasks, writes, owner', async () => {
    const opened = await world.open();
    expect(opened).toMatchObject({
      epoch: 2,
      identity: { origin: 'https://chat.example.com', agentId: 'ag_1' },
      settings: '{"base_url":"https://chat.example.com"}',
      commands: null,
      pauses: [],
      resets: [],
    });
    const ordinary = (ingestSeq: number) => ({ ingestSeq, dispatchClass: 'ordinary' });
    const told = opened.lanes.map(({ lane, pending, leftovers }) => [
      lane.split(':').at(-1),
      pending,
      leftovers.map(({ ingestSeq, state, claim, dispatchClass }) => [ingestSeq, state, claim, dispatchClass]),
    ]);
    expect(told).toEqual([
      ['ch_3', [], [[4, 'quarantined', null, 'ordinary']]],
      ['ch_4', [], [[5, 'in_doubt', 'claim-doubtful', 'ordinary']]],
      ['ch_5', [ordinary(9), ordinary(10)], [[6, 'processing', 'claim-running', 'ordinary']]],
      ['ch_6', [], [[7, 'processing', 'claim-withdrawn', 'ordinary']]],
      ['ch_7', [ordinary(8)], []],
      ['ch_8', [ordinary(12)], []],
    ]);
    expect(opened.openTasks.map(({ ingestSeq }) => ingestSeq)).toEqual([3, 4]);
    expect(opened.queued.map(({ id }) => id)).toEqual([4, 6]);
    expect(await world.store.watermark('hermes-1')).toBe(12);
  });

  it('[U-4] [INB-15] goes on counting, knows its messages, and lets its quarantined receipts be decided', async () => {
    const db = new Database(world.place.path);
    db.exec("UPDATE sqlite_sequence SET seq = 40 WHERE name = 'receipts'");
    db.close();
    await world.open();
    expect(await world.admit('new')).toBe(41);
    const known = receipts[0] as { dedupe_key: Buffer };
    expect(await world.store.admit(newReceipt('x', { dedupeKey: known.dedupe_key }))).toMatchObject({
      ingestSeq: 1,
      duplicate: true,
    });
    expect(await world.store.admit(newReceipt('own_1'))).toMatchObject({ outcome: 'ignored_outbound_echo' });
    const order = { action: 'requeue', actor: 'ada', reason: 'r', sessionReset: true } as const;
    expect(await world.store.remediate(4, order)).not.toBeNull();
    expect(await world.store.claim(4, 'again')).toMatchObject({ attempt: 2, body: 'text of stuck' });
  });

  it('[U-4] [INB-14] is retained like any other, but for the size of its file', async () => {
    await world.open();
    world.clock.advance(2_000_000_000_000);
    await world.store.closeTask(3);
    const rules = { bodiesAfterMs: 0, rowsAfterMs: 0, maxTerminalRows: 0, dedupeHorizonMs: 1e12, limit: 500 };
    // The first one still has a write that waits; the poison one and the broken one leave, with their keys and the ids of own messages.
    expect(await world.store.retain(rules)).toEqual({ bodies: 2, rows: 2, keys: 5, more: false });
  });
});
