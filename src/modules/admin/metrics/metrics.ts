// SPDX-License-Identifier: Apache-2.0
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** What one metric is; docs/metrics.md is made from it (OPS-2). */
export interface MetricDescription {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  /** Name of each label, and what its values are. */
  readonly labels: Readonly<Record<string, string>>;
}

/** Upper bounds of the time of a turn, seconds. */
const TURN_SECONDS = [0.1, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 1800];

/**
 * Every metric of the bridge: name, help and labels. Labels are states, codes and classes; only the tokens of turns carry the lane, because cost
 * is asked for by channel (OPS-9). No label ever holds what people wrote (SEC-1).
 */
export class Metrics {
  readonly registry = new Registry();
  private readonly declared: MetricDescription[] = [];

  readonly receipts = this.gauge('angelia_receipts', 'Receipts in the ledger.', {
    state: '`pending`, `processing`, `in_doubt`, `quarantined`, `completed`, `failed`',
  });
  readonly openReceipts = this.gauge('angelia_receipts_open', 'Receipts that are not ended, by dispatch class.', {
    class: '`ordinary`, `control`, `urgent_stop`, `unclassified`',
  });
  readonly oldest = this.gauge('angelia_receipt_oldest_seconds', 'Age of the oldest open receipt.', {
    state: '`pending`, `processing`, `in_doubt`, `quarantined`',
  });
  readonly committed = this.counter('angelia_receipts_committed_total', 'Events of the chat server that were stored.', {
    result: '`new` waits for a turn, `ended` starts none, `duplicate` was there before',
  });
  readonly claimed = this.counter('angelia_turns_claimed_total', 'Claims: turns that were handed to Hermes.', {});
  readonly started = this.counter('angelia_turns_started_total', 'Turns that passed the start barrier.', {});
  readonly released = this.counter(
    'angelia_turns_released_total',
    'Claims that went back because nothing had run.',
    {},
  );
  readonly ended = this.counter('angelia_turns_ended_total', 'Turns that reached their end.', {
    state: '`completed`, `failed`',
    outcome: 'how, for example `hermes_completed`',
  });
  readonly quarantined = this.counter('angelia_receipts_quarantined_total', 'Receipts that were quarantined.', {});
  readonly remediated = this.counter('angelia_receipts_remediated_total', 'Decisions of the operator.', {
    action: '`discard`, `requeue`',
  });
  readonly turnSeconds = this.histogram(
    'angelia_turn_seconds',
    'Time of a turn from its claim to its end.',
    { state: '`completed`, `failed`' },
    TURN_SECONDS,
  );
  readonly tokens = this.counter('angelia_tokens_total', 'Tokens of model requests, as Hermes reports them.', {
    lane: 'session key of Hermes: one for each channel',
    model: 'name of the model',
    kind: '`input`, `output`, `cache_read`, `cache_write`',
  });
  readonly modelRequests = this.counter(
    'angelia_model_requests_total',
    'Requests to a model, as Hermes reports them.',
    {
      lane: 'session key of Hermes: one for each channel',
      model: 'name of the model',
    },
  );
  readonly lanes = this.gauge('angelia_lanes', 'Lanes that are not idle; one may count more than once.', {
    condition: '`busy`, `waiting`, `blocked`, `paused`, `held`',
  });
  readonly running = this.gauge('angelia_turns_running', 'Claims that are not ended.', {
    kind: '`ordinary`, `control`, `urgent`',
  });
  readonly capacity = this.gauge('angelia_dispatch_capacity', 'Ordinary turns at once; 0 without Hermes.', {});
  readonly paused = this.gauge('angelia_paused', '1 while the operator has paused it.', {
    what: '`intake`, `dispatch`',
  });
  readonly resetsDue = this.gauge('angelia_resets_due', 'Decisions that wait for a reset of their session.', {});
  readonly outbox = this.gauge('angelia_outbox', 'Writes to the chat server.', {
    state: '`queued`, `sent`, `confirmed`, `uncertain`, `refused`',
  });
  readonly outboxSettled = this.counter('angelia_outbox_settled_total', 'Writes that reached their end.', {
    state: '`confirmed`, `uncertain`, `refused`',
  });
  readonly ledgerReadable = this.gauge('angelia_ledger_readable', '1 while the ledger can be read.', {});
  readonly walBytes = this.gauge('angelia_ledger_wal_bytes', 'Bytes of the write-ahead log.', {});
  readonly retained = this.counter('angelia_retention_removed_total', 'What retention removed.', {
    what: '`bodies`, `rows`, `keys`',
  });
  readonly retentionBehind = this.gauge('angelia_retention_behind', '1 while retention fails or is too slow.', {});
  readonly online = this.gauge('angelia_gateway_online', '1 while the chat server is connected and confirmed.', {});
  readonly queuedBytes = this.gauge('angelia_gateway_queued_bytes', 'Bytes read and not yet stored.', {});
  readonly gatewayEvents = this.counter('angelia_gateway_events_total', 'What happened on the connection.', {
    event: 'for example `events_received`, `events_committed`, `drops`, `actions_uncertain`',
  });
  readonly gatewayStates = this.counter('angelia_gateway_state_changes_total', 'Changes of the connection.', {
    state: 'the new one',
  });
  readonly framesRejected = this.counter('angelia_frames_rejected_total', 'Frames that were set aside.', {});
  readonly attached = this.gauge('angelia_hermes_attached', '1 while a Hermes process is attached.', {});
  readonly attaches = this.counter('angelia_hermes_attaches_total', 'Attaches of Hermes processes.', {});
  readonly detaches = this.counter('angelia_hermes_detaches_total', 'Ends of the link.', {});
  readonly refusals = this.counter('angelia_hermes_refusals_total', 'Attaches that were refused.', {
    code: 'error code',
  });
  readonly dropped = this.counter('angelia_hermes_dropped_total', 'What the shim held back.', { what: 'its kind' });
  readonly unexpected = this.counter('angelia_errors_unexpected_total', 'Errors that nobody expected.', {
    where: 'place in the bridge',
    code: 'error code',
  });
  readonly loopDelay = this.gauge('angelia_event_loop_delay_seconds', 'How late the process was in two minutes.', {
    quantile: '`0.5`, `0.99`, `1`',
  });
  readonly freeBytes = this.gauge('angelia_disk_free_bytes', 'Bytes left on the disk of the state folder.', {});
  readonly residentBytes = this.gauge('angelia_process_resident_bytes', 'Memory of the process.', {});
  readonly cpuSeconds = this.counter('angelia_process_cpu_seconds_total', 'Time of the processor.', {});

  /** @returns every metric, in the order of declaration */
  describe(): readonly MetricDescription[] {
    return this.declared;
  }

  private gauge<L extends string>(name: string, help: string, labels: Readonly<Record<L, string>>): Gauge<L> {
    const { registry } = this.declare({ name, type: 'gauge', help, labels });
    return new Gauge({ name, help, labelNames: Object.keys(labels) as L[], registers: [registry] });
  }

  private counter<L extends string>(name: string, help: string, labels: Readonly<Record<L, string>>): Counter<L> {
    const { registry } = this.declare({ name, type: 'counter', help, labels });
    return new Counter({ name, help, labelNames: Object.keys(labels) as L[], registers: [registry] });
  }

  private histogram<L extends string>(
    name: string,
    help: string,
    labels: Readonly<Record<L, string>>,
    buckets: number[],
  ): Histogram<L> {
    const { registry } = this.declare({ name, type: 'histogram', help, labels });
    return new Histogram({ name, help, labelNames: Object.keys(labels) as L[], buckets, registers: [registry] });
  }

  private declare(description: MetricDescription): this {
    this.declared.push(description);
    return this;
  }
}
