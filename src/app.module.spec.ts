// SPDX-License-Identifier: Apache-2.0
import { Test, type TestingModule } from '@nestjs/testing';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { InlineLedgerStore } from '../test/support/inline-ledger-store.js';
import { ledgerFolder, type LedgerFolder } from '../test/support/store.js';
import { AppModule } from './app.module.js';
import { FatalErrors } from './common/fatal.js';
import { AngeliaError, ErrorCode } from './common/errors.js';
import { StopSignal } from './common/stop-signal.js';
import { Telemetry } from './common/telemetry.js';
import { readServiceSettings } from './config/index.js';
import { CHAT_SERVER, INBOUND_HANDLER, type ChatServer, type InboundHandler } from './modules/gateway/index.js';
import { HERMES_HOST, type HermesHost } from './modules/hermes/index.js';
import {
  BridgeLocks,
  Classifier,
  LEDGER_STORE,
  Pauses,
  Recovery,
  Remediation,
  Retention,
  Scheduler,
} from './modules/inbox/index.js';
import {
  ControlDeadlines,
  EffectiveSettings,
  HermesAttachment,
  HermesTurnRunner,
  HostEvents,
  OutboxSender,
  Watchdog,
} from './modules/runs/index.js';

const PARTS = [
  BridgeLocks,
  Classifier,
  ControlDeadlines,
  EffectiveSettings,
  HermesAttachment,
  HermesTurnRunner,
  HostEvents,
  OutboxSender,
  Pauses,
  Recovery,
  Remediation,
  Retention,
  Scheduler,
  Telemetry,
  Watchdog,
] as const;

describe('[U-1] AppModule', () => {
  let folder: LedgerFolder;
  let module: TestingModule;

  beforeEach(async () => {
    folder = ledgerFolder();
    const profile = join(folder.folder, 'profile');
    mkdirSync(profile);
    const settings = readServiceSettings({ ANGELIA_HERMES_HOME: profile, ANGELIA_LOG_LEVEL: 'silent' });
    module = await Test.createTestingModule({ imports: [AppModule.forRoot(settings)] })
      .overrideProvider(LEDGER_STORE)
      .useValue(new InlineLedgerStore({ path: folder.path }))
      .compile();
  });

  afterEach(async () => {
    await module.close();
    folder.remove();
  });

  it('composes every part once', () => {
    for (const part of PARTS) expect(module.get(part, { strict: false })).toBeInstanceOf(part);
    expect(module.get(Scheduler)).toBe(module.get(Scheduler));
  });

  it('is idle until the bridge starts: no connection, no listener, nothing to run', () => {
    expect(module.get<ChatServer>(CHAT_SERVER, { strict: false }).status().state).toBe('unconfigured');
    expect(module.get<HermesHost>(HERMES_HOST, { strict: false }).status().attached).toBeNull();
    expect(module.get(Scheduler).runningClaims()).toEqual([]);
  });

  it('gives the gateway the inbox to hand its events to', async () => {
    const handler = module.get<InboundHandler>(INBOUND_HANDLER, { strict: false });
    await expect(handler.probe()).rejects.toMatchObject({ code: ErrorCode.LedgerClosed });
  });

  it('stops once, and ends for the first fatal error', async () => {
    const stop = module.get(StopSignal, { strict: false });
    expect(stop.signal.aborted).toBe(false);
    stop.abort();
    stop.abort();
    expect(stop.signal.aborted).toBe(true);
    const fatal = module.get(FatalErrors, { strict: false });
    fatal.report(new AngeliaError(ErrorCode.LedgerCorrupt));
    fatal.report(new AngeliaError(ErrorCode.Internal));
    expect((await fatal.first).code).toBe(ErrorCode.LedgerCorrupt);
  });
});
