// SPDX-License-Identifier: Apache-2.0
import { NestFactory } from '@nestjs/core';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Logger, PinoLogger } from 'nestjs-pino';
import { join } from 'node:path';
import { AppModule } from './app.module.js';
import { Bridge } from './bridge.js';
import { Clock } from './common/clock.js';
import type { AngeliaError } from './common/errors.js';
import { FatalErrors } from './common/fatal.js';
import { createPrivateFolder, removeOwnFile, replaceSecretFile } from './common/secret-file.js';
import { StopSignal } from './common/stop-signal.js';
import { Telemetry } from './common/telemetry.js';
import type { ServiceSettings } from './config/index.js';
import { adminHttpAdapter, OpenApi } from './modules/admin/index.js';
import { CHAT_SERVER, type ChatServer } from './modules/gateway/index.js';
import { HERMES_HOST, type HermesHost } from './modules/hermes/index.js';
import {
  Classifier,
  BridgeLocks,
  LEDGER_STORE,
  Pauses,
  Remediation,
  Retention,
  Scheduler,
  type LedgerStore,
} from './modules/inbox/index.js';
import {
  ControlDeadlines,
  Watchdog,
  EffectiveSettings,
  HermesAttachment,
  HermesTurnRunner,
  HostEvents,
  OutboxSender,
} from './modules/runs/index.js';
import { logTelemetry } from './telemetry-log.js';

/** A bridge that runs. */
export interface RunningApplication {
  readonly bridge: Bridge;
  /** Resolves with an error after which the process has to end, for example a ledger of another agent. */
  readonly fatal: Promise<AngeliaError>;
  /** The catalogue of events. */
  readonly telemetry: Telemetry;
  /** Address of the admin interface. */
  readonly adminUrl: string;
  /** Reads the key again and asks a refused server again (SIGHUP). */
  reload(): void;
  /** Ends everything in order; idempotent. */
  stop(): Promise<void>;
}

/**
 * Composes and starts the bridge.
 * @param settings of the service
 * @param observe is given the catalogue before anything starts
 * @throws AngeliaError when the bridge cannot start; everything is closed again then
 */
export async function startApplication(
  settings: ServiceSettings,
  observe: (telemetry: Telemetry) => void = () => undefined,
): Promise<RunningApplication> {
  createPrivateFolder(settings.paths.stateDir);
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.forRoot(settings), adminHttpAdapter(), {
    bufferLogs: true,
    abortOnError: false,
  });
  const logger = app.get(Logger);
  app.useLogger(logger);
  const telemetry = app.get(Telemetry);
  logTelemetry(telemetry, PinoLogger.root);
  observe(telemetry);
  app.get(OpenApi).serve(app);
  const bridge = composeBridge(app, settings);
  const addressFile = join(settings.paths.stateDir, 'admin.json');
  let address = '';
  const stop = async (): Promise<void> => {
    await bridge.stop();
    await app.close();
    removeOwnFile(addressFile, address);
  };
  try {
    await bridge.start();
    await app.listen(settings.listen.admin.port, settings.listen.admin.host);
  } catch (error) {
    await stop();
    throw error;
  }
  const adminUrl = await app.getUrl();
  address = `${JSON.stringify({ url: adminUrl, pid: process.pid })}\n`;
  replaceSecretFile(addressFile, address);
  logger.log(`Angelia is up; health: ${adminUrl}/health/ready`);
  return {
    bridge,
    fatal: app.get(FatalErrors).first,
    telemetry,
    adminUrl,
    reload: () => app.get(EffectiveSettings).reload(),
    stop,
  };
}

function composeBridge(app: NestFastifyApplication, settings: ServiceSettings): Bridge {
  return new Bridge({
    hermesHome: settings.paths.hermesHome,
    locks: app.get(BridgeLocks),
    store: app.get<LedgerStore>(LEDGER_STORE),
    scheduler: app.get(Scheduler),
    pauses: app.get(Pauses),
    remediation: app.get(Remediation),
    retention: app.get(Retention),
    runner: app.get(HermesTurnRunner),
    chat: app.get<ChatServer>(CHAT_SERVER),
    host: app.get<HermesHost>(HERMES_HOST),
    settings: app.get(EffectiveSettings),
    attachment: app.get(HermesAttachment),
    events: app.get(HostEvents),
    classifier: app.get(Classifier),
    deadlines: app.get(ControlDeadlines),
    watchdog: app.get(Watchdog),
    outbox: app.get(OutboxSender),
    clock: app.get(Clock),
    stopSignal: app.get(StopSignal),
    fatal: app.get(FatalErrors),
    telemetry: app.get(Telemetry),
  });
}
