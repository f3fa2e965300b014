// SPDX-License-Identifier: Apache-2.0
import type { Clock } from '../../common/clock.js';
import { AngeliaError, codeOf, ErrorCode } from '../../common/errors.js';
import type { Telemetry } from '../../common/telemetry.js';
import { checkHermesSettings } from '../../config/index.js';
import type {
  AttachReport,
  AttachVerdict,
  EventReply,
  HermesEventHandler,
  HermesHost,
  ShimEvent,
} from '../hermes/index.js';
import type { Classifier, LedgerStore, OutageHold, Recovery, Remediation, Scheduler } from '../inbox/index.js';
import type { EffectiveSettings } from './effective-settings.js';
import type { HostEvents } from './host-events.js';

/** Threads of Hermes that stay free for a turn that waits for a person (D-18). */
const RESERVED_THREADS = 1;
/** Wait before a reconciliation that the ledger refused is tried again, in ms. */
const RECONCILE_RETRY_MS = 1000;

/**
 * What happens when a Hermes process attaches, speaks and goes: its settings are judged and adopted, its spool is applied, the claims of earlier
 * processes are settled, resets that the operator's decisions wait for are done, and only then the dispatch opens. When it goes, the dispatch closes and its claims stay as they are.
 */
export class HermesAttachment implements HermesEventHandler {
  /** The epoch of this bridge process; set before the link listens. */
  epoch = 0;
  /** Serialises reconciliations: a second attach waits for the first one's end. */
  private reconciling: Promise<void> = Promise.resolve();
  private dispatches = 0;

  constructor(
    private readonly store: LedgerStore,
    private readonly scheduler: Scheduler,
    private readonly recovery: Recovery,
    private readonly remediation: Remediation,
    private readonly hold: OutageHold,
    private readonly classifier: Classifier,
    private readonly settings: EffectiveSettings,
    private readonly host: HermesHost,
    private readonly events: HostEvents,
    private readonly clock: Clock,
    private readonly telemetry: Telemetry,
    private readonly stopSignal: AbortSignal,
  ) {}

  /** Turns at once, after the cut of D-18; 0 while nothing is attached. */
  get effectiveDispatches(): number {
    return this.dispatches;
  }

  async attaching(report: AttachReport): Promise<AttachVerdict> {
    const wrong = checkHermesSettings(report.hermes);
    if (wrong !== null) return { accepted: false, error: wrong };
    try {
      await this.settings.adopt(report.platform);
      await this.classifier.adopt(report.commands);
      if (report.spool !== undefined) await this.apply(report.spool.instance, report.spool.events);
      return { accepted: true, ack: await this.store.watermark(report.instance), locks: this.settings.officialLocks };
    } catch (error) {
      return {
        accepted: false,
        error: error instanceof AngeliaError ? error : new AngeliaError(ErrorCode.Internal, {}, error),
      };
    }
  }

  attached(report: AttachReport): void {
    const known = new Set(report.admissions.map((admission) => admission.id));
    this.reconciling = this.reconciling.then(() => this.reconcile(report, known));
  }

  /** Resolves when the newest attach has settled what it had to. */
  whenSettled(): Promise<void> {
    return this.reconciling;
  }

  detached(): void {
    this.scheduler.setDispatch(false);
    this.dispatches = 0;
  }

  async apply(instance: string, events: readonly ShimEvent[]): Promise<ReadonlyMap<number, EventReply>> {
    if (events.some((event) => event.type === 'stopping')) this.scheduler.setDispatch(false);
    return this.events.apply(instance, events);
  }

  private async reconcile(report: AttachReport, known: ReadonlySet<string>): Promise<void> {
    try {
      if ((await this.store.closeQuestions(report.instance)) > 0) this.classifier.forgetQuestions();
      await this.recovery.reconcile(known, this.host, ({ ingestSeq, claim }) => this.events.abandon(ingestSeq, claim));
      await this.remediation.runDueResets();
      await this.hold.apply();
    } catch (error) {
      this.telemetry.emit('error.unexpected', { where: 'recovery', code: codeOf(error), ids: { epoch: this.epoch } });
      await this.clock.sleep(RECONCILE_RETRY_MS, this.stopSignal);
      if (this.serves(report) && !this.stopSignal.aborted) await this.reconcile(report, known);
      return;
    }
    if (!this.serves(report)) return;
    const wanted = this.settings.current?.max_concurrent_dispatches ?? 1;
    this.dispatches = Math.max(1, Math.min(wanted, report.hermes.worker_threads - RESERVED_THREADS));
    this.scheduler.setDispatch(true, this.dispatches);
  }

  /** True while the process of this report is attached and takes turns. */
  private serves(report: AttachReport): boolean {
    const { attached, stopping } = this.host.status();
    return attached?.instance === report.instance && !stopping;
  }
}
