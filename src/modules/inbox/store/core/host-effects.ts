// SPDX-License-Identifier: Apache-2.0
import type Database from 'better-sqlite3';
import type { HostEffect, HostEffectResult, TurnEnd } from '../host-effect-types.js';
import type { OutboxTicket } from '../outbox-types.js';
import type { ReceiptState } from '../receipt-types.js';
import type { ClaimRow, Claims } from './claims.js';
import type { OutboxTexts } from './outbox-texts.js';
import type { Questions } from './questions.js';

type EffectOf<K extends HostEffect['kind']> = Extract<HostEffect, { readonly kind: K }>;

/** Effects of the events of Hermes processes, applied once each (docs/link.md, section 5). */
export class HostEffects {
  private readonly read: Database.Statement<[string], number>;
  private readonly write: Database.Statement;

  /** @param now Unix ms of the batch */
  constructor(
    db: Database.Database,
    private readonly claims: Claims,
    private readonly texts: OutboxTexts,
    private readonly questions: Questions,
    private readonly now: () => number,
  ) {
    this.read = db.prepare<[string], number>('SELECT seq FROM host_watermarks WHERE instance = ?').pluck();
    this.write = db.prepare(
      `INSERT INTO host_watermarks (instance, seq, updated_at) VALUES (?, ?, ?)
       ON CONFLICT (instance) DO UPDATE SET seq = excluded.seq, updated_at = excluded.updated_at`,
    );
  }

  /** Number of the last committed event; 0 for an unknown process. */
  watermark(instance: string): number {
    return this.read.get(instance) ?? 0;
  }

  /** Applies what lies above the watermark and moves it. */
  apply(instance: string, throughSeq: number, effects: readonly HostEffect[]): HostEffectResult[] {
    const watermark = this.watermark(instance);
    const results = effects.map((effect) =>
      effect.seq <= watermark ? this.repeat(effect) : this.applyOne(instance, effect),
    );
    if (throughSeq > watermark) this.write.run(instance, throughSeq, this.now());
    return results;
  }

  /** Ends a claim by the bridge's own decision. */
  endClaim(claim: string, end: TurnEnd): HostEffectResult {
    return this.end({ seq: 0, kind: 'end', claim, end });
  }

  /** Commits the start of a claim that never passes the barrier. @returns whether it is in force */
  markStarted(claim: string): boolean {
    return this.started({ seq: 0, kind: 'started', claim }).go;
  }

  /** A repeat changes nothing; whether a turn may go is told from the ledger as it stands now. */
  private repeat(effect: HostEffect): HostEffectResult {
    const row = effect.kind === 'started' ? this.claims.find(effect.claim) : null;
    return { ...result(effect.seq, 'repeated'), ...goOf(row, row?.startedAt ?? null) };
  }

  private applyOne(instance: string, effect: HostEffect): HostEffectResult {
    switch (effect.kind) {
      case 'none':
        return result(effect.seq, 'applied');
      case 'started':
        return this.started(effect);
      case 'withdrawn':
        return this.withdrawn(effect);
      case 'send':
        return this.output(effect, (row) => this.texts.send(row, effect.handle, effect.replyTo, effect.parts));
      case 'edit':
        return this.output(effect, (row) => this.texts.edit(row, effect.handle, effect.parts));
      case 'delete':
        return this.output(effect, (row) => this.texts.remove(row, effect.handle));
      case 'question':
        return this.question(instance, effect);
      case 'end':
        return this.end(effect);
    }
  }

  private started(effect: EffectOf<'started'>): HostEffectResult {
    const row = this.claims.find(effect.claim);
    if (row?.processing !== true) return result(effect.seq, 'stale');
    return { ...result(effect.seq, 'applied'), ...goOf(row, this.claims.markStarted(row)) };
  }

  private withdrawn(effect: EffectOf<'withdrawn'>): HostEffectResult {
    const row = this.claims.find(effect.claim);
    if (row?.processing !== true) return result(effect.seq, 'stale');
    this.claims.withdraw(row);
    return result(effect.seq, 'applied');
  }

  /** Output of an ended claim is kept all the same: Hermes did produce it. */
  private output(
    effect: EffectOf<'send' | 'edit' | 'delete'>,
    store: (row: ClaimRow) => readonly OutboxTicket[],
  ): HostEffectResult {
    const row = this.claims.find(effect.claim);
    if (row === null) return result(effect.seq, 'stale');
    return { ...result(effect.seq, row.processing ? 'applied' : 'stale'), queued: store(row) };
  }

  private question(instance: string, effect: EffectOf<'question'>): HostEffectResult {
    const { seq, claim, notice } = effect;
    const row = this.claims.find(claim);
    if (row?.processing !== true) return result(seq, 'stale');
    const first = this.questions.ask(instance, { ...row, claim }, effect);
    return { ...result(seq, 'applied'), queued: first ? this.texts.send(row, null, null, notice) : [] };
  }

  private end({ seq, claim, end }: EffectOf<'end'>): HostEffectResult {
    const row = this.claims.find(claim);
    if (row?.processing !== true) return result(seq, 'stale');
    const moved =
      end.to === 'pending'
        ? this.claims.release(row, end.outcome, end.disproved)
        : this.claims.finish(row, end.to, end.outcome, end.errorCode);
    if (!moved) return result(seq, 'stale');
    const notice = end.to === 'pending' ? null : end.notice;
    return {
      ...result(seq, 'applied'),
      ended: {
        ingestSeq: row.ingestSeq,
        messageId: row.messageId,
        lane: row.lane,
        state: end.to satisfies ReceiptState,
      },
      queued: notice === null ? [] : this.texts.send(row, null, row.messageId, notice),
    };
  }
}

function result(seq: number, status: HostEffectResult['status']): HostEffectResult {
  return { seq, status, go: false, started: null, ended: null, queued: [] };
}

/** Go only for a claim that is in processing and whose start is in force. */
function goOf(row: ClaimRow | null, startedAt: number | null): Pick<HostEffectResult, 'go' | 'started'> {
  if (row?.processing !== true || startedAt === null) return { go: false, started: null };
  const { ingestSeq, messageId, channelId } = row;
  return { go: true, started: { ingestSeq, messageId, channelId, startedAt } };
}
