// SPDX-License-Identifier: Apache-2.0
import { audit } from './audit.js';
import { AuditFacts } from './facts.js';
import * as all from './invariants.js';
import type { ChatEvent, Violation } from './records.js';
import { type Bendable, bendReceipt, goodRun, withoutReceipt } from './testing/good-run.js';

/** Bends the good run and asks one invariant about it. */
function found(invariant: all.Invariant, bend: (run: Bendable) => void): Violation[] {
  const run = goodRun();
  bend(run);
  return invariant(new AuditFacts(run));
}

/** Position of an event in the record. */
function position(run: Bendable, matches: (event: ChatEvent) => boolean): number {
  const index = run.chat.findIndex(matches);
  if (index < 0) throw new Error('The good run has no such event.');
  return index;
}

const openEnd = (run: Bendable): void => void run.chat.pop();

describe('[INB-1] [INB-13] deliveredIsStored', () => {
  it('catches a message that was written before one that is in the ledger', () => {
    const violations = found(all.deliveredIsStored, (run) => withoutReceipt(run, 'm2'));
    expect(violations).toEqual([{ invariant: 'deliveredIsStored', what: 'message m2 has no receipt' }]);
  });

  it('allows the last message of a connection to be lost with it', () => {
    expect(found(all.deliveredIsStored, (run) => withoutReceipt(run, 'm3'))).toEqual([]);
  });

  it('catches a missing last message of a connection that lives on', () => {
    const violations = found(all.deliveredIsStored, (run) => {
      withoutReceipt(run, 'm3');
      openEnd(run);
    });
    expect(violations).toHaveLength(1);
  });

  it('catches a message that the server dropped behind its full buffer', () => {
    const violations = found(all.deliveredIsStored, (run) =>
      run.chat.push({ type: 'dropped', at: 1_030, messageId: 'm4' }),
    );
    expect(violations[0]?.what).toContain('m4');
  });
});

describe('[INB-2] [INB-4] oneTurnPerMessage', () => {
  it('catches a second turn with another prompt', () => {
    const violations = found(all.oneTurnPerMessage, (run) =>
      run.model.push({ ...run.model[0]!, at: 5_000, system: 'other' }),
    );
    expect(violations).toEqual([{ invariant: 'oneTurnPerMessage', what: 'message m1 had 2 turns at the model' }]);
  });

  it('catches a second turn with the same prompt', () => {
    expect(found(all.oneTurnPerMessage, (run) => run.model.push({ ...run.model[0]!, at: 5_000 }))).toHaveLength(1);
  });

  it('takes the step after a tool call and the repeat of a failed request as the same turn', () => {
    const violations = found(all.oneTurnPerMessage, (run) => {
      const request = run.model[0]!;
      run.model[0] = { ...request, answered: false, reply: '' };
      run.model.push({ ...request, at: request.at + 1, reply: '' }, { ...request, at: request.at + 2, first: false });
    });
    expect(violations).toEqual([]);
  });

  it('tells equal texts apart by the message that the prompt names', () => {
    const violations = found(all.oneTurnPerMessage, (run) => {
      for (const [index, event] of run.chat.entries()) {
        if (event.type === 'delivered') run.chat[index] = { ...event, text: 'again' };
      }
      for (const [index, request] of run.model.entries()) {
        run.model[index] = { ...request, userText: '[Mira] again', system: `message id: "m${index + 1}"` };
      }
    });
    expect(violations).toEqual([]);
  });

  it('knows a text with a note of Hermes behind it', () => {
    const violations = found(all.noRequestBeforeStart, (run) => {
      run.model[0] = { ...run.model[0]!, userText: '[Mira] question 1\n\n[System note: first message]' };
    });
    expect(violations).toEqual([]);
  });

  it('knows a text of Hermes itself within the turn whose answer broke off', () => {
    const bend = (run: Bendable): void => {
      const request = { ...run.model[0]!, answered: false };
      run.model[0] = request;
      run.model.push({ ...request, at: request.at + 1, userText: 'Go on where you stopped.', answered: true });
    };
    expect(found(all.oneTurnPerMessage, bend)).toEqual([]);
    expect(found(all.noRequestBeforeStart, bend)).toEqual([]);
  });

  it('knows an unanswered text that Hermes joined with the next one', () => {
    const violations = found(all.oneTurnPerMessage, (run) => {
      run.model[2] = { ...run.model[2]!, userText: '[Mira] question 1\n\n[Mira] question 3' };
    });
    expect(violations).toEqual([]);
  });
});

describe('[INB-2] noRequestBeforeStart', () => {
  it('catches a turn whose start was never committed', () => {
    expect(found(all.noRequestBeforeStart, (run) => bendReceipt(run, 'm1', { startedAt: null }))).toHaveLength(1);
  });

  it('catches a start that was committed after the request', () => {
    expect(found(all.noRequestBeforeStart, (run) => bendReceipt(run, 'm1', { startedAt: 1_500 }))).toHaveLength(1);
  });

  it('catches a turn that Hermes began of its own accord', () => {
    const violations = found(all.noRequestBeforeStart, (run) =>
      run.model.push({ ...run.model[0]!, at: 6_000, system: 'none of ours', userText: 'continue' }),
    );
    expect(violations[0]?.what).toContain('no receipt');
  });
});

describe('[SCH-1] lanesStartInOrder', () => {
  it('catches an order that the ledger shows', () => {
    expect(found(all.lanesStartInOrder, (run) => bendReceipt(run, 'm3', { startedAt: 1_005 }))).toHaveLength(1);
  });

  it('lets control work bypass the line of its lane', () => {
    const control = { startedAt: 1_005, ordinary: false };
    expect(found(all.lanesStartInOrder, (run) => bendReceipt(run, 'm3', control))).toEqual([]);
  });

  it('catches an order that the model saw', () => {
    const violations = found(all.lanesStartInOrder, (run) => {
      const delivery = position(run, (event) => event.type === 'delivered' && event.messageId === 'm3');
      run.chat[delivery] = { ...run.chat[delivery]!, at: 900 };
      run.model[2] = { ...run.model[2]!, at: 1_001 };
    });
    expect(violations).toHaveLength(1);
  });
});

describe('[INB-2] [INB-6] everyReceiptEnds', () => {
  it.each(['pending', 'processing', 'in_doubt'] as const)('catches a receipt that stays %s', (state) => {
    expect(found(all.everyReceiptEnds, (run) => bendReceipt(run, 'm2', { state }))).toHaveLength(1);
  });

  it('allows a quarantined receipt with its reason and what waits behind it', () => {
    const violations = found(all.everyReceiptEnds, (run) => {
      bendReceipt(run, 'm1', { state: 'quarantined', outcome: 'quarantined_after_session_suspension' });
      bendReceipt(run, 'm3', { state: 'pending', outcome: null });
    });
    expect(violations).toEqual([]);
  });

  it('catches an end without a reason', () => {
    expect(found(all.everyReceiptEnds, (run) => bendReceipt(run, 'm1', { outcome: null }))).toHaveLength(1);
  });
});

describe('[BPP-4] oneAnswerPerMessage', () => {
  it('catches a second answer in a task of its own', () => {
    const violations = found(all.oneAnswerPerMessage, (run) => {
      const place = { channelId: 'general', taskId: 'borgee-9-000000000009' };
      run.chat.push(
        { type: 'task_started', at: 5_000, ...place },
        { type: 'posted', at: 5_010, messageId: 'a9', channelId: 'general', replyTo: 'm1', text: 'answer 1' },
        { type: 'task_finished', at: 5_020, ...place, outcome: 'completed' },
      );
    });
    expect(violations).toEqual([{ invariant: 'oneAnswerPerMessage', what: 'message m1 was answered in 2 tasks' }]);
  });

  it('catches a receipt that was announced under two claims', () => {
    const violations = found(all.oneAnswerPerMessage, (run) =>
      run.chat.push({ type: 'task_started', at: 5_000, channelId: 'general', taskId: 'borgee-1-ffffffffffff' }),
    );
    expect(violations[0]?.what).toContain('receipt 1');
  });
});

describe('[BPP-4] finishIsLast', () => {
  it('catches an edit after the end of the task', () => {
    const violations = found(all.finishIsLast, (run) =>
      run.chat.push({ type: 'edited', at: 5_000, messageId: 'a1', text: 'late' }),
    );
    expect(violations).toEqual([{ invariant: 'finishIsLast', what: 'message a1 changed after the end of its task' }]);
  });

  it('catches a task that never ends', () => {
    const violations = found(all.finishIsLast, (run) =>
      run.chat.splice(
        position(run, (event) => event.type === 'task_finished'),
        1,
      ),
    );
    expect(violations[0]?.what).toContain('never finished');
  });
});

describe('[BPP-4] tasks of one channel that overlap for a moment', () => {
  it('leaves each answer with its own task', () => {
    const run = goodRun();
    for (const [index, event] of run.chat.entries()) {
      if (event.type === 'task_finished' && event.taskId.startsWith('borgee-1-'))
        run.chat[index] = { ...event, at: 2_015 };
    }
    expect(audit(run)).toMatchObject({ holds: true });
    expect(new AuditFacts(run).answersTo('m3').map((message) => message.taskId)).toEqual(['borgee-3-000000000003']);
  });
});

describe('[BPP-4] nothingAfterFinish', () => {
  it('catches an answer that comes when its task has ended', () => {
    const violations = found(all.nothingAfterFinish, (run) =>
      run.chat.push({ type: 'posted', at: 5_000, messageId: 'a9', channelId: 'general', replyTo: 'm1', text: 'more' }),
    );
    expect(violations).toHaveLength(1);
  });
});

describe('[INB-6] [SCH-1] lanesAreIndependent', () => {
  it('catches a lane that is overtaken by one that became ready long after it', () => {
    const violations = found(all.lanesAreIndependent, (run) => {
      bendReceipt(run, 'm2', { startedAt: 15_000, endedAt: 15_100 });
      bendReceipt(run, 'm1', { endedAt: 4_000 });
      bendReceipt(run, 'm3', { startedAt: 4_010, endedAt: 4_100 });
    });
    expect(violations).toHaveLength(1);
    expect(violations[0]?.what).toContain('m2');
  });

  it('catches a lane that never starts while others do', () => {
    const violations = found(all.lanesAreIndependent, (run) => {
      bendReceipt(run, 'm2', { state: 'pending', startedAt: null, endedAt: null });
      bendReceipt(run, 'm1', { endedAt: 4_000 });
      bendReceipt(run, 'm3', { startedAt: 4_010, endedAt: 4_100 });
    });
    expect(violations).toHaveLength(1);
  });

  it('lets a turn start a little late that Hermes takes its time for', () => {
    const violations = found(all.lanesAreIndependent, (run) => {
      bendReceipt(run, 'm2', { startedAt: 8_000, endedAt: 8_100 });
      bendReceipt(run, 'm1', { endedAt: 4_000 });
      bendReceipt(run, 'm3', { startedAt: 4_010, endedAt: 4_100 });
    });
    expect(violations).toEqual([]);
  });

  it('lets the rest of a quarantined lane wait', () => {
    const violations = found(all.lanesAreIndependent, (run) => {
      bendReceipt(run, 'm1', { state: 'quarantined', endedAt: null });
      bendReceipt(run, 'm3', { state: 'pending', startedAt: null, endedAt: null });
    });
    expect(violations).toEqual([]);
  });
});

describe('[BPP-4] outboxIsSettled', () => {
  it.each(['queued', 'sent', 'refused'])('catches a row that stays %s', (state) => {
    const violations = found(all.outboxIsSettled, (run) => {
      run.ledger.outbox[0] = { ...run.ledger.outbox[0]!, state, code: 'message_refused' };
    });
    expect(violations).toHaveLength(1);
  });

  it.each([
    ['uncertain', 'connection_lost'],
    ['refused', null],
  ])('allows a row that is %s with the code %s', (state, code) => {
    const violations = found(all.outboxIsSettled, (run) => {
      run.ledger.outbox[0] = { ...run.ledger.outbox[0]!, state, code };
    });
    expect(violations).toEqual([]);
  });
});

describe('the list of invariants', () => {
  it('has every invariant once and finds nothing in a good run', () => {
    const exported = Object.values(all).filter((value) => typeof value === 'function' && value !== all.violationsOf);
    expect(new Set(all.INVARIANTS)).toEqual(new Set(exported));
    expect(audit(goodRun())).toEqual({ answers: 3, lost: [], repeated: [], violations: [], holds: true });
  });

  it('leaves out what a scenario breaks on purpose', () => {
    const run = goodRun();
    run.ledger.outbox[0] = { ...run.ledger.outbox[0]!, state: 'queued' };
    expect(audit(run).holds).toBe(false);
    expect(audit(run, { without: [all.outboxIsSettled] }).holds).toBe(true);
  });
});
