// SPDX-License-Identifier: Apache-2.0

/** The platform block of a Borgee server (bpp 6.2), after validation. */
export class BorgeeSettings {
  /** Canonical HTTP(S) origin of the server: lower-case host, no default port, no trailing slash. */
  base_url!: string;
  /** Agent id; empty: asked from the server. */
  agent_id!: string;
  /** Allows http for `localhost`, 127.0.0.0/8 and ::1. */
  allow_insecure_loopback!: boolean;
  /** Turns at once over all lanes, 1..32. */
  max_concurrent_dispatches!: number;
  /** Seconds that a stop waits for running turns, above 0, at most 600. */
  drain_timeout_seconds!: number;
  /** Largest frame that is read, bytes. */
  max_inbound_frame_bytes!: number;
  /** Seconds between probes while the key is refused. */
  auth_probe_interval_seconds!: number;
  /** Bytes read and not yet committed, beyond which reading pauses. */
  intake_queue_max_bytes!: number;
  /** Seconds that the store may stay stalled at that bound before the connection is closed with 1001. */
  intake_stall_seconds!: number;
}
