// SPDX-License-Identifier: Apache-2.0
import { InlineLedgerStore } from '../../../test/support/inline-ledger-store.js';
import { ManualClock } from '../../../test/support/manual-clock.js';
import { ledgerFolder, type LedgerFolder } from '../../../test/support/store.js';
import { shortHash } from '../../common/ids.js';
import { Telemetry, type TelemetryEvents } from '../../common/telemetry.js';
import type { InboundEvent } from '../gateway/index.js';
import { Classifier } from './classifier.js';
import { Intake } from './intake.js';
import { Scheduler } from './scheduler.js';

const event: InboundEvent = {
  kind: 'message',
  channelId: 'ch_1',
  channelType: 'channel',
  messageId: 'msg_1',
  authorId: 'us_1',
  authorName: 'Mira',
  body: 'hello',
  sourceCreatedAt: 1,
  context: null,
  evidence: shortHash('1'),
  ignored: null,
};

describe('Intake', () => {
  let folder: LedgerFolder;
  let store: InlineLedgerStore;
  let intake: Intake;
  let committed: TelemetryEvents['receipt.committed'][];

  beforeEach(async () => {
    folder = ledgerFolder();
    store = new InlineLedgerStore({ path: folder.path });
    await store.open();
    const clock = new ManualClock();
    const telemetry = new Telemetry();
    committed = [];
    telemetry.on('receipt.committed', (fact) => committed.push(fact));
    const scheduler = new Scheduler(store, clock, telemetry);
    intake = new Intake(store, scheduler, new Classifier(store, scheduler), clock, telemetry);
  });

  afterEach(async () => {
    await store.close();
    folder.remove();
  });

  it('[INB-1] resolves after the commit', async () => {
    await intake.receive(event);
    expect((await store.statistics()).receipts.pending).toBe(1);
    expect(committed).toMatchObject([{ messageId: 'msg_1', duplicate: false, terminal: false }]);
  });

  it('[BPP-2] puts direct messages and channels into lanes of their own', async () => {
    await intake.receive(event);
    await intake.receive({ ...event, channelType: 'dm', channelId: 'dm_1' });
    expect(committed.map(({ lane }) => lane)).toEqual(['agent:main:borgee:channel:ch_1', 'agent:main:borgee:dm:dm_1']);
  });

  it('[INB-15] takes a mention beside a message, or a renamed author, for the same turn', async () => {
    await intake.receive(event);
    await intake.receive({ ...event, kind: 'mention', evidence: shortHash('2') });
    await intake.receive({ ...event, authorName: 'Mira B.', evidence: shortHash('3') });
    expect(committed.map(({ duplicate }) => duplicate)).toEqual([false, true, true]);
    expect((await store.statistics()).receipts.pending).toBe(1);
  });

  it('[INB-15] keeps every edit of a message as a receipt of its own', async () => {
    const edited: InboundEvent = { ...event, kind: 'edited', ignored: 'ignored_edited' };
    await intake.receive({ ...edited, evidence: shortHash('2') });
    await intake.receive({ ...edited, evidence: shortHash('3') });
    await intake.receive({ ...edited, evidence: shortHash('3') });
    expect(committed.map(({ duplicate }) => duplicate)).toEqual([false, false, true]);
    expect((await store.statistics()).receipts.completed).toBe(2);
  });

  it('[INB-16] stores a poison event as a failed receipt that starts nothing', async () => {
    await intake.receive({ ...event, kind: 'undecodable', body: '', ignored: 'undecodable' });
    expect((await store.statistics()).receipts).toMatchObject({ failed: 1, pending: 0 });
  });

  it('[BPP-5] ends the echo of an own message at its receipt', async () => {
    await intake.rememberOutbound('msg_1', 'ch_1');
    await intake.receive(event);
    expect(committed).toMatchObject([{ terminal: true }]);
  });
});
