// SPDX-License-Identifier: Apache-2.0
/*
 * The bridge as implementation under test of bench/peer/e2e_bench.py (protocol: bench/peer/README.md). It composes the same application as
 * src/main.ts and listens to its catalogue of events; Hermes is bench/stub_gateway.py: the real shim with a stub message handler.
 */
import 'reflect-metadata';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startApplication, type RunningApplication } from '../src/application.js';
import type { Telemetry } from '../src/common/telemetry.js';
import { readServiceSettings } from '../src/config/index.js';
import { readSutOptions, type SutOptions } from './support/options.js';
import { childUsage, ownUsage, type Usage } from './support/process-usage.js';
import { ReportPort } from './support/report-port.js';
import { StubGateway } from './support/stub-gateway.js';
import { TurnFigures } from './support/turn-figures.js';

/** Prints the last line that the harness reads. */
function print(figures: object): void {
  process.stdout.write(`${JSON.stringify(figures)}\n`);
}

/** Resolves when the chat server is online. */
function online(telemetry: Telemetry): Promise<unknown> {
  return telemetry.next('gateway.state', ({ state }) => state === 'online');
}

async function startBridge(options: SutOptions, observe: (telemetry: Telemetry) => void): Promise<RunningApplication> {
  const hermesHome = join(options.home, 'profile');
  mkdirSync(hermesHome, { recursive: true, mode: 0o700 });
  const settings = readServiceSettings({
    ANGELIA_HERMES_HOME: hermesHome,
    ANGELIA_LOCK_DIR: join(options.home, 'angelia-locks'),
    ANGELIA_LOG_LEVEL: 'warn',
  });
  return startApplication(settings, observe);
}

async function measure(options: SutOptions): Promise<void> {
  const report = await ReportPort.connect(options.reportPort);
  const figures = new TurnFigures(options, report);
  let isOnline: Promise<unknown> = Promise.resolve();
  const started = performance.now();
  const application = await startBridge(options, (telemetry) => {
    isOnline = online(telemetry);
    figures.listen(telemetry);
  });
  const attached = application.telemetry.next('link.attached');
  const refused = application.telemetry.next('link.refused').then(({ code, key }) => {
    throw new Error(`the shim was refused: ${code} ${key ?? ''}`);
  });
  const gateway = StubGateway.start(options, join(options.home, 'profile'));
  await Promise.all([isOnline, Promise.race([attached, refused, gateway.failed])]);
  const connectMs = performance.now() - started;
  if (options.mode === 'admit') {
    const detached = application.telemetry.next('link.detached');
    await gateway.stop();
    await detached;
  }
  const before = usageOf(gateway);
  report.tell('G\n');
  const timedOut = await figures.finished(options.limitSeconds);
  const after = usageOf(gateway);
  await gateway.stop();
  await report.end(figures.late());
  await application.stop();
  print({
    connect_ms: connectMs,
    cpu_s: after.cpuSeconds - before.cpuSeconds,
    peak_rss_mib: after.peakRssMib,
    ...figures.summary(),
    timed_out: timedOut ? 1 : 0,
  });
}

/** CPU and memory of both processes; the one that has ended counts with its last reading. */
function usageOf(gateway: StubGateway): Usage {
  const own = ownUsage();
  const child = childUsage(gateway.pid);
  return { cpuSeconds: own.cpuSeconds + child.cpuSeconds, peakRssMib: own.peakRssMib + child.peakRssMib };
}

try {
  await measure(readSutOptions());
} catch (error) {
  print({ error: String(error instanceof Error ? error.stack : error) });
}
process.exit(0);
