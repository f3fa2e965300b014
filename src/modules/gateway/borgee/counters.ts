// SPDX-License-Identifier: Apache-2.0

/** What the client counts since the start of the process. */
const COUNTER_NAMES = [
  'connections',
  'drops',
  'dead_peers',
  'frames_read',
  'bytes_read',
  'frames_rejected',
  'frames_too_large',
  'frames_discarded',
  'events_received',
  'events_committed',
  'events_undecodable',
  'intake_failures',
  'intake_pauses',
  'intake_stalls',
  'actions_sent',
  'actions_confirmed',
  'actions_refused',
  'actions_uncertain',
  'late_results',
  'config_acks',
  'requests_answered',
  'requests_refused',
  'replies_dropped',
  'remote_control_refusals',
  'task_frames',
  'task_frames_repeated',
] as const;
export type CounterName = (typeof COUNTER_NAMES)[number];

/** Counters of the client; all are there from the start, at zero. */
export class Counters {
  private readonly values = new Map<CounterName, number>(COUNTER_NAMES.map((name) => [name, 0]));

  /** Counts up. */
  add(name: CounterName, by = 1): void {
    this.values.set(name, (this.values.get(name) ?? 0) + by);
  }

  /** A copy of all counters. */
  snapshot(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.values);
  }
}
