// SPDX-License-Identifier: Apache-2.0
import { type AuditFacts, ingestSeqOf } from './facts.js';
import type { ReceiptRow, Violation } from './records.js';

/** A rule that always holds. Its name stands in the violation. */
export type Invariant = (facts: AuditFacts) => Violation[];

/** Receipts that became ready within this time of each other count as ready at once, milliseconds. */
const READY_AT_ONCE_MS = 2_000;

/** How much later than a receipt that became ready after it a turn may start: Hermes takes its time between claim and start, milliseconds. */
const OVERTAKEN_BY_MS = 10_000;

/** Bridge and playground read the same clock, but note the time a little before or after the act; milliseconds. */
const CLOCK_TOLERANCE_MS = 5;

/** Terminal states. */
const ENDED: ReadonlySet<string> = new Set(['completed', 'failed']);

/**
 * [INB-1, INB-13] What the client read is in the ledger. The wire has no ack, so the proof is TCP's order: whatever was written to a
 * connection before a message that is in the ledger was read too. What came after the last such message may be lost with its
 * connection, but not on a connection that lives on, and the server never had to drop anything.
 */
export const deliveredIsStored: Invariant = ({ records, receiptOf }) => {
  const violations: Violation[] = [];
  const open = new Map<number, string[]>();
  const missing = (id: string): void =>
    void violations.push(violation('deliveredIsStored', `message ${id} has no receipt`));
  for (const event of records.chat) {
    if (event.type === 'dropped') {
      violations.push(violation('deliveredIsStored', `message ${event.messageId} fell out of the server's buffer`));
    } else if (event.type === 'closed') {
      open.delete(event.connection);
    } else if (event.type === 'delivered') {
      const pending = open.get(event.connection) ?? [];
      if (receiptOf.has(event.messageId)) pending.splice(0).forEach(missing);
      else pending.push(event.messageId);
      open.set(event.connection, pending);
    }
  }
  for (const pending of open.values()) pending.forEach(missing);
  return violations;
};

/** [INB-2, INB-4] The model sees a message in at most one turn. */
export const oneTurnPerMessage: Invariant = ({ delivered, turns }) =>
  countsOf(turns.map((turn) => turn.messageId).filter((id) => id !== null))
    .filter(([id, count]) => count > 1 && delivered.has(id))
    .map(([id, count]) => violation('oneTurnPerMessage', `message ${id} had ${count} turns at the model`));

/** [INB-2] Every turn at the model comes from a receipt whose start was committed before. */
export const noRequestBeforeStart: Invariant = ({ turns, receiptOf }) => {
  const violations: Violation[] = [];
  for (const turn of turns) {
    const receipt = turn.messageId === null ? undefined : receiptOf.get(turn.messageId);
    if (receipt === undefined) {
      violations.push(violation('noRequestBeforeStart', `a turn at ${turn.startedAt} belongs to no receipt`));
    } else if (receipt.startedAt === null || receipt.startedAt > turn.startedAt + CLOCK_TOLERANCE_MS) {
      violations.push(
        violation('noRequestBeforeStart', `${name(receipt)} was at the model before its start was committed`),
      );
    }
  }
  return violations;
};

/** [SCH-1] Turns of one lane start in the order of their receipts, in the ledger and at the model. */
export const lanesStartInOrder: Invariant = ({ records, turns, receiptOf }) => {
  const violations: Violation[] = [];
  for (const lane of lanesOf(records.ledger.receipts.filter((row) => row.ordinary))) {
    const inLedger = lane.filter((row) => row.startedAt !== null);
    violations.push(...unordered('lanesStartInOrder', inLedger, (row) => row.startedAt ?? 0));
    const atModel = new Map<ReceiptRow, number>();
    for (const turn of turns) {
      const row = turn.messageId === null ? undefined : receiptOf.get(turn.messageId);
      if (row !== undefined && lane.includes(row) && !atModel.has(row)) atModel.set(row, turn.startedAt);
    }
    const seen = lane.filter((row) => atModel.has(row));
    violations.push(...unordered('lanesStartInOrder', seen, (row) => atModel.get(row) ?? 0));
  }
  return violations;
};

/** [INB-2] Every receipt ends, or is quarantined, or waits visibly behind a quarantined one of its lane. */
export const everyReceiptEnds: Invariant = ({ records }) => {
  const violations: Violation[] = [];
  for (const lane of lanesOf(records.ledger.receipts)) {
    let blocked = false;
    for (const row of lane) {
      if (row.state === 'quarantined') blocked = true;
      if (ENDED.has(row.state) || row.state === 'quarantined' || (row.state === 'pending' && blocked)) continue;
      violations.push(violation('everyReceiptEnds', `${name(row)} is ${row.state}`));
    }
    for (const row of lane) {
      if ((row.state === 'quarantined' || ENDED.has(row.state)) && (row.outcome ?? '') === '') {
        violations.push(violation('everyReceiptEnds', `${name(row)} is ${row.state} without a reason`));
      }
    }
  }
  return violations;
};

/** [BPP-4] A message is answered once: all that the agent says to it is said within one task. */
export const oneAnswerPerMessage: Invariant = (facts) => {
  const violations: Violation[] = [];
  for (const id of facts.delivered.keys()) {
    const tasks = new Set(facts.answersTo(id).map((message) => message.taskId));
    if (tasks.size > 1)
      violations.push(violation('oneAnswerPerMessage', `message ${id} was answered in ${tasks.size} tasks`));
  }
  const tasksOf = countsOf([...facts.tasks.values()].map((task) => String(ingestSeqOf(task.taskId) ?? task.taskId)));
  for (const [receipt, count] of tasksOf) {
    if (count > 1)
      violations.push(violation('oneAnswerPerMessage', `receipt ${receipt} was announced as ${count} tasks`));
  }
  return violations;
};

/** [BPP-4] The end of a task is the last thing that people see of its run; no task stays open. */
export const finishIsLast: Invariant = ({ tasks, agentMessages }) => {
  const violations: Violation[] = [];
  for (const task of tasks.values()) {
    if (task.finishedAt === null) violations.push(violation('finishIsLast', `task ${task.taskId} never finished`));
  }
  for (const message of agentMessages) {
    const finishedAt = message.taskId === null ? null : (tasks.get(message.taskId)?.finishedAt ?? null);
    if (finishedAt !== null && message.lastWriteAt > finishedAt) {
      violations.push(violation('finishIsLast', `message ${message.messageId} changed after the end of its task`));
    }
  }
  return violations;
};

/** [BPP-4] A run writes only inside its own task: nothing comes for a receipt whose task has finished. */
export const nothingAfterFinish: Invariant = ({ tasks, agentMessages, receiptOf }) => {
  const finished = new Map<number, number>();
  for (const task of tasks.values()) {
    const receipt = ingestSeqOf(task.taskId);
    if (receipt !== null && task.finishedAt !== null) finished.set(receipt, task.finishedAt);
  }
  return agentMessages.flatMap((message) => {
    const receipt = message.replyTo === null ? undefined : receiptOf.get(message.replyTo);
    const end = receipt === undefined ? undefined : finished.get(receipt.ingestSeq);
    return end === undefined || message.postedAt <= end
      ? []
      : [violation('nothingAfterFinish', `message ${message.messageId} came after the end of its task`)];
  });
};

/**
 * [INB-6, SCH-1] A lane that is blocked or slow never delays another: no receipt at the head of a free lane waits long while one that
 * became ready later is started.
 */
export const lanesAreIndependent: Invariant = ({ records }) => {
  const ready = lanesOf(records.ledger.receipts).flatMap(readyTimes);
  const started = ready.filter(({ row }) => row.startedAt !== null).sort(byStart);
  const passed = new NewestReady();
  let next = 0;
  return [...ready].sort(byStart).flatMap(({ row, readyAt }) => {
    const startedAt = row.startedAt ?? Infinity;
    for (
      let other = started[next];
      other !== undefined && startOf(other) + OVERTAKEN_BY_MS < startedAt;
      other = started[next]
    ) {
      passed.add(other);
      next += 1;
    }
    const overtaking = passed.outside(row.lane);
    return overtaking === null || overtaking.readyAt <= readyAt + READY_AT_ONCE_MS
      ? []
      : [
          violation(
            'lanesAreIndependent',
            `${name(row)} was ready before ${name(overtaking.row)} and started long after it`,
          ),
        ];
  });
};

/**
 * [BPP-4] What the agent wanted to say was said: no row of the outbox waits or was refused. Rows that were withdrawn before they were
 * written (refused without a code) are as good as said; uncertain ones are final and visible.
 */
export const outboxIsSettled: Invariant = ({ records }) =>
  records.ledger.outbox
    .filter(({ state, code }) => state === 'queued' || state === 'sent' || (state === 'refused' && code !== null))
    .map((row) => violation('outboxIsSettled', `outbox row ${row.id} (${row.kind}) is ${row.state}`));

/** All of them, in the order in which a report shows them. */
export const INVARIANTS: readonly Invariant[] = [
  deliveredIsStored,
  oneTurnPerMessage,
  noRequestBeforeStart,
  lanesStartInOrder,
  everyReceiptEnds,
  oneAnswerPerMessage,
  finishIsLast,
  nothingAfterFinish,
  lanesAreIndependent,
  outboxIsSettled,
];

/** @returns what breaks any invariant */
export function violationsOf(facts: AuditFacts, invariants: readonly Invariant[] = INVARIANTS): Violation[] {
  return invariants.flatMap((invariant) => invariant(facts));
}

function violation(invariant: string, what: string): Violation {
  return { invariant, what };
}

function name(row: ReceiptRow): string {
  return `receipt ${row.ingestSeq} (message ${row.messageId})`;
}

function countsOf(values: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts];
}

/** Receipts by lane, each lane in ingest order. */
function lanesOf(receipts: readonly ReceiptRow[]): ReceiptRow[][] {
  const lanes = new Map<string, ReceiptRow[]>();
  for (const row of [...receipts].sort((a, b) => a.ingestSeq - b.ingestSeq)) {
    const lane = lanes.get(row.lane);
    if (lane === undefined) lanes.set(row.lane, [row]);
    else lane.push(row);
  }
  return [...lanes.values()];
}

function unordered(invariant: string, rows: readonly ReceiptRow[], time: (row: ReceiptRow) => number): Violation[] {
  return rows.flatMap((row, index) => {
    const earlier = rows[index - 1];
    return earlier !== undefined && time(earlier) > time(row)
      ? [violation(invariant, `${name(row)} started before ${name(earlier)} of its lane`)]
      : [];
  });
}

/** A receipt with the time at which it could have started. */
interface ReadyReceipt {
  readonly row: ReceiptRow;
  readonly readyAt: number;
}

function startOf({ row }: ReadyReceipt): number {
  return row.startedAt ?? Infinity;
}

function byStart(a: ReadyReceipt, b: ReadyReceipt): number {
  return startOf(a) === startOf(b) ? 0 : startOf(a) - startOf(b);
}

/** Of receipts that have started, the one that became ready last, and the last one of another lane. */
class NewestReady {
  private newest: ReadyReceipt | null = null;
  private second: ReadyReceipt | null = null;

  add(receipt: ReadyReceipt): void {
    if (this.newest === null || receipt.readyAt > this.newest.readyAt) {
      if (this.newest !== null && this.newest.row.lane !== receipt.row.lane) this.second = this.newest;
      this.newest = receipt;
    } else if (receipt.row.lane !== this.newest.row.lane && receipt.readyAt > (this.second?.readyAt ?? -Infinity)) {
      this.second = receipt;
    }
  }

  /** @returns the newest one that is of another lane */
  outside(lane: string): ReadyReceipt | null {
    return this.newest?.row.lane === lane ? this.second : this.newest;
  }
}

/** When each receipt of a lane stood at its free head: received, and the one before it ended. Receipts that start nothing are left out. */
function readyTimes(lane: readonly ReceiptRow[]): ReadyReceipt[] {
  const ready: ReadyReceipt[] = [];
  let freeAt: number | null = 0;
  for (const row of lane) {
    if (row.startedAt === null && ENDED.has(row.state)) continue;
    if (freeAt !== null) ready.push({ row, readyAt: Math.max(row.receivedAt, freeAt) });
    freeAt = ENDED.has(row.state) ? row.endedAt : null;
  }
  return ready;
}
