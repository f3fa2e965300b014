// SPDX-License-Identifier: Apache-2.0
import type { Clock } from '../../../common/clock.js';
import type { Telemetry } from '../../../common/telemetry.js';

/** Bounds of the link (docs/link.md). */
export interface LinkLimits {
  /** Largest request body, in bytes. */
  readonly link_max_body_bytes: number;
  /** Largest line of the command stream, in bytes. */
  readonly link_max_line_bytes: number;
  /** While nothing else is written, a line says every so often that the bridge lives; ms. */
  readonly link_alive_interval_ms: number;
  /** What was written to the command stream and is not taken after this time ends the link; ms. */
  readonly link_silence_timeout_ms: number;
  /** Life of a nonce of the bridge; ms. */
  readonly link_nonce_ttl_ms: number;
  /** Nonces that may wait for their attach; the oldest gives way. */
  readonly link_nonce_capacity: number;
  /** An accepted shim has to open its command stream within this time; ms. */
  readonly link_stream_open_timeout_ms: number;
  /** At the close, requests that are being answered get this time; ms. */
  readonly link_close_grace_ms: number;
  /** Sockets that may be open at once. */
  readonly link_max_connections: number;
}

/** Defaults of the limits. */
export const LINK_LIMITS: LinkLimits = {
  link_max_body_bytes: 64 * 1024 * 1024,
  link_max_line_bytes: 16 * 1024 * 1024,
  link_alive_interval_ms: 5_000,
  link_silence_timeout_ms: 15_000,
  link_nonce_ttl_ms: 10_000,
  link_nonce_capacity: 64,
  link_stream_open_timeout_ms: 10_000,
  link_close_grace_ms: 2_000,
  link_max_connections: 64,
};

/** What the link server needs to know. */
export interface LinkHostOptions {
  /** An address of the loopback (the settings see to that: sessions and texts travel in the clear) and a port, 0 for a free one. */
  readonly listen: { readonly host: string; readonly port: number };
  /** Path of the link file. */
  readonly linkFile: string;
  /** 0600; 0640 when the operator named the file, so that Hermes's group can read it (SEC-2). */
  readonly linkFileMode: number;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly limits?: Partial<LinkLimits>;
}
