// SPDX-License-Identifier: Apache-2.0
import { Global, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Clock } from '../../common/clock.js';
import { Telemetry } from '../../common/telemetry.js';
import { readServiceSettings, ServiceSettings } from '../../config/index.js';
import { ManualClock } from '../../../test/support/manual-clock.js';
import { HERMES_HOST } from './hermes-host.js';
import { HermesModule, linkHostOptions } from './hermes.module.js';
import { LinkHermesHost } from './link/link-hermes-host.js';

const clock = new ManualClock();
const telemetry = new Telemetry();
const HOME = mkdtempSync(join(tmpdir(), 'angelia-module-'));

/** Settings of a service with this environment. */
const settingsOf = (environment: NodeJS.ProcessEnv = {}): ServiceSettings =>
  readServiceSettings({ ANGELIA_HERMES_HOME: HOME, ...environment });

describe('[HST-10] the module of the link', () => {
  afterAll(() => rmSync(HOME, { recursive: true }));

  it('[SEC-2] writes the link file into the profile for its owner alone', () => {
    const settings = settingsOf({
      ANGELIA_LINK_LISTEN: '127.0.0.1:4711',
      ANGELIA_LINK_MAX_BODY_BYTES: '1048576',
      ANGELIA_LINK_NONCE_SECONDS: '3',
      ANGELIA_LINK_ALIVE_SECONDS: '0.5',
    });
    expect(linkHostOptions(settings, clock, telemetry)).toEqual({
      listen: { host: '127.0.0.1', port: 4711 },
      linkFile: join(HOME, 'angelia', 'link.json'),
      linkFileMode: 0o600,
      limits: { link_max_body_bytes: 1_048_576, link_nonce_ttl_ms: 3_000, link_alive_interval_ms: 500 },
      clock,
      telemetry,
    });
  });

  it('[SEC-2] writes the link file where the operator wants it, for the group too', () => {
    const settings = settingsOf({ ANGELIA_LINK_FILE: '/run/angelia/link.json' });
    expect(linkHostOptions(settings, clock, telemetry)).toMatchObject({
      linkFile: '/run/angelia/link.json',
      linkFileMode: 0o640,
    });
  });

  it('[U-3] gives the port to whoever asks for it', async () => {
    @Global()
    @Module({
      providers: [
        { provide: ServiceSettings, useValue: settingsOf() },
        { provide: Clock, useValue: clock },
        { provide: Telemetry, useValue: telemetry },
      ],
      exports: [ServiceSettings, Clock, Telemetry],
    })
    class Common {}
    const module = await Test.createTestingModule({ imports: [Common, HermesModule] }).compile();
    expect(module.get(HERMES_HOST)).toBeInstanceOf(LinkHermesHost);
    await module.close();
  });
});
