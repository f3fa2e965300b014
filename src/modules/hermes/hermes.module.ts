// SPDX-License-Identifier: Apache-2.0
import { Module } from '@nestjs/common';
import { join } from 'node:path';
import { Clock } from '../../common/clock.js';
import { OWNER_AND_GROUP, OWNER_ONLY } from '../../common/secret-file.js';
import { Telemetry } from '../../common/telemetry.js';
import { ServiceSettings } from '../../config/index.js';
import { HERMES_HOST } from './hermes-host.js';
import { LinkHermesHost } from './link/link-hermes-host.js';
import type { LinkHostOptions } from './link/link-options.js';

/** Hermes behind the link. Who composes the bridge names the handler and listens. */
@Module({
  providers: [
    {
      provide: HERMES_HOST,
      inject: [ServiceSettings, Clock, Telemetry],
      useFactory: (settings: ServiceSettings, clock: Clock, telemetry: Telemetry) =>
        new LinkHermesHost(linkHostOptions(settings, clock, telemetry)),
    },
  ],
  exports: [HERMES_HOST],
})
export class HermesModule {}

/** The link as the settings of the service ask for it. */
export function linkHostOptions(
  settings: Pick<ServiceSettings, 'paths' | 'listen' | 'link'>,
  clock: Clock,
  telemetry: Telemetry,
): LinkHostOptions {
  const { hermesHome, linkFile } = settings.paths;
  return {
    listen: settings.listen.link,
    linkFile: linkFile ?? join(hermesHome, 'angelia', 'link.json'),
    linkFileMode: linkFile === undefined ? OWNER_ONLY : OWNER_AND_GROUP,
    limits: {
      link_max_body_bytes: settings.link.maxBodyBytes,
      link_nonce_ttl_ms: settings.link.nonceSeconds * 1_000,
      link_alive_interval_ms: settings.link.aliveSeconds * 1_000,
    },
    clock,
    telemetry,
  };
}
