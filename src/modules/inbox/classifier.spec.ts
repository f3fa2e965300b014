// SPDX-License-Identifier: Apache-2.0
import { InlineLedgerStore } from '../../../test/support/inline-ledger-store.js';
import { ManualClock } from '../../../test/support/manual-clock.js';
import { ledgerFolder, newReceipt, type LedgerFolder } from '../../../test/support/store.js';
import { Telemetry } from '../../common/telemetry.js';
import { Classifier } from './classifier.js';
import { Scheduler } from './scheduler.js';

const TABLE = {
  version: '0.19.0',
  builtin: [
    { name: 'queue', aliases: ['q'] },
    { name: 'stop', aliases: [] },
    { name: 'status', aliases: [] },
  ],
  plugin: [],
};

describe('[D-12] [INB-7] Classifier', () => {
  let folder: LedgerFolder;
  let store: InlineLedgerStore;
  let scheduler: Scheduler;
  let classifier: Classifier;

  beforeEach(async () => {
    folder = ledgerFolder();
    store = new InlineLedgerStore({ path: folder.path });
    await store.open();
    scheduler = new Scheduler(store, new ManualClock(), new Telemetry());
    classifier = new Classifier(store, scheduler);
  });

  afterEach(async () => {
    await store.close();
    folder.remove();
  });

  async function admit(lane: string, body: string): Promise<void> {
    const classified = classifier.classify(body, lane);
    const { ingestSeq } = await store.admit(newReceipt(body, { lane, ...classified }));
    scheduler.admitted(lane, ingestSeq, classified.dispatchClass);
  }

  it('classifies what came before any table, when a shim brings one, and strips the prefix of a queue', async () => {
    for (const body of ['/stop', '/queue later', '/status', 'plain']) await admit(body, body);
    expect((await store.statistics()).openByClass).toMatchObject({ unclassified: 3, ordinary: 1 });
    await classifier.adopt(TABLE);
    expect((await store.statistics()).openByClass).toEqual({
      ordinary: 2,
      control: 1,
      urgent_stop: 1,
      unclassified: 0,
    });
    const [queued] = await store.listReceipts({ lane: '/queue later', limit: 1 });
    expect((await store.showReceipt(queued!.ingestSeq, true))?.content).toMatchObject({
      body: 'later',
      sourceBody: '/queue later',
    });
  });

  it('knows the table that an earlier process kept', async () => {
    await classifier.adopt(TABLE);
    await store.close();
    const reopened = new InlineLedgerStore({ path: folder.path });
    const { commands } = await reopened.open();
    const next = new Classifier(reopened, scheduler);
    await next.restore(commands);
    expect(next.classify('/stop', 'a').dispatchClass).toBe('urgent_stop');
    await reopened.close();
  });

  it('takes a text for an answer only in the lane whose question is open', async () => {
    await classifier.adopt(TABLE);
    classifier.setQuestionOpen('a', true);
    expect([classifier.classify('yes', 'a').dispatchClass, classifier.classify('yes', 'b').dispatchClass]).toEqual([
      'control',
      'ordinary',
    ]);
    classifier.setQuestionOpen('a', false);
    expect(classifier.classify('yes', 'a').dispatchClass).toBe('ordinary');
    classifier.setQuestionOpen('a', true);
    classifier.forgetQuestions();
    expect(classifier.classify('yes', 'a').dispatchClass).toBe('ordinary');
  });
});
