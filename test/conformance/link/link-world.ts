// SPDX-License-Identifier: Apache-2.0
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Telemetry, type TelemetryEvents } from '../../../src/common/telemetry.js';
import {
  type AttachReport,
  type AttachVerdict,
  type EventReply,
  type HermesEventHandler,
  LinkHermesHost,
  type LinkHostOptions,
  type ShimEvent,
} from '../../../src/modules/hermes/index.js';
import { FakeShim, type FakeShimOptions } from '../../support/fake-shim.js';
import { ManualClock } from '../../support/manual-clock.js';

/** The rest of Angelia in memory: a watermark for each Hermes process, and what was applied. */
export class MemoryHandler implements HermesEventHandler {
  /** Events in the order of their effect, each once. */
  readonly applied: ShimEvent[] = [];
  readonly attachedInstances: string[] = [];
  readonly detachedInstances: string[] = [];
  /** Highest number of `apply` calls at one time. */
  concurrent = 0;
  /** Thrown by the next `apply` calls while it is set. */
  failure: Error | null = null;
  /** Judgement of the next attaches; null: accepted. */
  verdict: ((report: AttachReport) => AttachVerdict) | null = null;
  /** What `apply` and `attaching` wait for. */
  gate: Promise<void> = Promise.resolve();
  /** Called when `apply` or `attaching` has begun. */
  onBegin: () => void = () => undefined;

  private readonly watermarks = new Map<string, number>();
  private running = 0;

  constructor(readonly epoch = 1) {}

  async attaching(report: AttachReport): Promise<AttachVerdict> {
    this.onBegin();
    await this.gate;
    if (this.verdict !== null) return this.verdict(report);
    if (report.spool !== undefined) await this.apply(report.spool.instance, report.spool.events);
    return {
      accepted: true,
      ack: this.watermarks.get(report.instance) ?? 0,
      locks: { profile: 'hermes-home:0', credential: null },
    };
  }

  attached(report: AttachReport): void {
    this.attachedInstances.push(report.instance);
  }

  detached(instance: string): void {
    this.detachedInstances.push(instance);
  }

  async apply(instance: string, events: readonly ShimEvent[]): Promise<ReadonlyMap<number, EventReply>> {
    this.running += 1;
    this.concurrent = Math.max(this.concurrent, this.running);
    this.onBegin();
    await this.gate;
    this.running -= 1;
    if (this.failure !== null) throw this.failure;
    const watermark = this.watermarks.get(instance) ?? 0;
    this.applied.push(...events.filter((event) => event.seq > watermark));
    this.watermarks.set(instance, Math.max(watermark, events.at(-1)?.seq ?? 0));
    return new Map(events.filter((event) => event.type === 'started').map((event) => [event.seq, { go: true }]));
  }

  /** Holds every `apply` and `attaching` from now on. @returns a promise that the first one has begun, and the way to let them go on */
  holdAll(): { begun: Promise<void>; release: () => void } {
    const gate = Promise.withResolvers<undefined>();
    const begun = Promise.withResolvers<undefined>();
    this.gate = gate.promise;
    this.onBegin = () => begun.resolve(undefined);
    return { begun: begun.promise, release: () => gate.resolve(undefined) };
  }
}

/** Bridges, shims and a folder of one test; `end()` closes all and finds what was left open. */
export class LinkWorld {
  readonly folder = mkdtempSync(join(tmpdir(), 'angelia-link-'));
  readonly linkFile = join(this.folder, 'angelia', 'link.json');
  readonly clock = new ManualClock();
  readonly telemetry = new Telemetry();
  readonly unexpected: TelemetryEvents['error.unexpected'][] = [];
  readonly refused: TelemetryEvents['link.refused'][] = [];
  private readonly hosts: LinkHermesHost[] = [];
  private readonly shims: FakeShim[] = [];

  constructor() {
    this.telemetry.on('error.unexpected', (event) => this.unexpected.push(event));
    this.telemetry.on('link.refused', (event) => this.refused.push(event));
  }

  /** Starts a bridge. */
  async bridge(handler = new MemoryHandler(), options: Partial<LinkHostOptions> = {}): Promise<LinkHermesHost> {
    const host = this.unstarted(options);
    host.setHandler(handler);
    await host.listen();
    return host;
  }

  /** A bridge that does not listen yet. */
  unstarted(options: Partial<LinkHostOptions> = {}): LinkHermesHost {
    const { clock, telemetry, linkFile } = this;
    const listen = { host: '127.0.0.1', port: 0 };
    const host = new LinkHermesHost({ listen, linkFile, linkFileMode: 0o600, clock, telemetry, ...options });
    this.hosts.push(host);
    return host;
  }

  /** A Hermes process that is not attached yet. */
  shim(options: Partial<FakeShimOptions> = {}): FakeShim {
    const shim = new FakeShim({ linkFile: this.linkFile, ...options });
    this.shims.push(shim);
    return shim;
  }

  /** A Hermes process that is attached. */
  async attachedShim(options: Partial<FakeShimOptions> = {}): Promise<FakeShim> {
    const shim = this.shim(options);
    await shim.connect();
    return shim;
  }

  /** Closes everything. @throws Error when a side broke the protocol or left a timer */
  async end(): Promise<void> {
    for (const shim of this.shims) shim.disconnect();
    await Promise.all(this.hosts.map((host) => host.close()));
    rmSync(this.folder, { recursive: true, force: true });
    const violations = this.shims.flatMap((shim) => shim.violations);
    if (violations.length > 0) throw new Error(`the bridge broke the protocol: ${violations.join(', ')}`);
    if (this.clock.pending > 0) throw new Error(`${this.clock.pending} timers were left`);
  }
}

/** A turn with a claim of its own. */
export function turn(fields: { text?: string; admission?: string } = {}): Parameters<LinkHermesHost['startTurn']>[0] {
  return {
    admission: randomBytes(16).toString('hex'),
    chat: { id: 'c1', type: 'channel', name: 'general', thread_id: null },
    author: { id: 'u1', name: 'Ann' },
    message_id: 'm1',
    text: 'hello',
    prompt: 'the prompt of this turn',
    sent_at: 1_780_000_000_000,
    command: false,
    bypass: false,
    clean: false,
    ...fields,
  };
}
