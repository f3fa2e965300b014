// SPDX-License-Identifier: Apache-2.0

/** Bounds of one lane of the writer. */
export interface LaneBounds {
  readonly frames: number;
  readonly bytes: number;
}

/** Timings and bounds of the client. Ms are milliseconds; what an operator may want to change stands in `BorgeeSettings`. */
export interface ClientOptions {
  /** Header `User-Agent` of the upgrade. */
  readonly userAgent: string;
  /** Dial, upgrade, `connect` and `get_me` together (bpp 1.4). */
  readonly handshakeMs: number;
  /** An action: queue and answer together (bpp 4.1). */
  readonly actionDeadlineMs: number;
  /** Actions without an answer at once (bpp 1.3). */
  readonly maxPendingActions: number;
  /** Between application heartbeats; the server's patience is 30 s (bpp 1.6). */
  readonly heartbeatMs: number;
  /** Between WebSocket pings. */
  readonly pingMs: number;
  /** Wait for the pong of a ping; then the next ping follows at once. */
  readonly pongMs: number;
  /** Missed pongs after which the peer counts as dead. */
  readonly missedPongs: number;
  /** Time for the closing handshake before the socket is torn down (bpp 1.12). */
  readonly closeMs: number;
  /** Time online after which the backoff begins anew (bpp 1.9). */
  readonly stableMs: number;
  /** First and longest backoff before the random part (bpp 1.9). */
  readonly backoffFirstMs: number;
  readonly backoffMaxMs: number;
  /** Wait after an answer that points to a wrong address (404 and alike). */
  readonly slowRetryMs: number;
  /** Longest Retry-After that is honoured. */
  readonly retryAfterMaxMs: number;
  /** Between task frames and the ping that confirms them. */
  readonly taskConfirmMs: number;
  /** First and longest wait between attempts to write to a ledger that refused. */
  readonly storeRetryFirstMs: number;
  readonly storeRetryMaxMs: number;
  /** Time that `close()` gives the ledger to take what was read. */
  readonly closeHandoverMs: number;
  /** Bytes handed to the socket and not yet taken by the system; beyond it frames wait in their lane, where they can be withdrawn. */
  readonly writeWindowBytes: number;
  /** Lane of connect, actions, tasks and heartbeat. */
  readonly regularLane: LaneBounds;
  /** Lane of pong, response and config ack. */
  readonly reservedLane: LaneBounds;
  /** Requests of the server that wait for their answer to leave (bpp 1.3). */
  readonly requestQueue: LaneBounds;
  /** Time in which a request is answered or not at all (bpp 1.12). */
  readonly requestDeadlineMs: number;
  /** Config acks that are remembered (bpp 3.7). */
  readonly rememberedAcks: number;
  /** Largest text of one message, bytes of UTF-8: its line to Hermes fits into 16 MiB even if each byte is escaped with six. */
  readonly maxBodyBytes: number;
  /** Largest id, kind, type or display name of an event, bytes of UTF-8. */
  readonly maxFieldBytes: number;
}

export const DEFAULT_CLIENT_OPTIONS: ClientOptions = {
  userAgent: 'angelia',
  handshakeMs: 8_000,
  actionDeadlineMs: 30_000,
  maxPendingActions: 256,
  heartbeatMs: 28_000,
  pingMs: 20_000,
  pongMs: 10_000,
  missedPongs: 2,
  closeMs: 1_000,
  stableMs: 30_000,
  backoffFirstMs: 500,
  backoffMaxMs: 30_000,
  slowRetryMs: 60_000,
  retryAfterMaxMs: 3_600_000,
  taskConfirmMs: 200,
  storeRetryFirstMs: 100,
  storeRetryMaxMs: 5_000,
  closeHandoverMs: 10_000,
  writeWindowBytes: 65_536,
  regularLane: { frames: 512, bytes: 16_777_216 },
  reservedLane: { frames: 64, bytes: 1_048_576 },
  requestQueue: { frames: 32, bytes: 1_048_576 },
  requestDeadlineMs: 8_000,
  rememberedAcks: 256,
  maxBodyBytes: 2_097_152,
  maxFieldBytes: 1_024,
};
