// SPDX-License-Identifier: Apache-2.0
import { Global, Module, type DynamicModule } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import { Clock, SystemClock } from './common/clock.js';
import { FatalErrors } from './common/fatal.js';
import { StopSignal } from './common/stop-signal.js';
import { Telemetry } from './common/telemetry.js';
import { ServiceSettings } from './config/index.js';
import { AdminModule } from './modules/admin/index.js';
import { GatewayModule } from './modules/gateway/index.js';
import { HermesModule } from './modules/hermes/index.js';
import { InboxModule } from './modules/inbox/index.js';
import { RunsModule } from './modules/runs/index.js';

/** What every module may ask for. */
@Global()
@Module({})
class CommonModule {
  static forRoot(settings: ServiceSettings): DynamicModule {
    const providers = [
      { provide: ServiceSettings, useValue: settings },
      { provide: Clock, useClass: SystemClock },
      Telemetry,
      StopSignal,
      FatalErrors,
    ];
    return { module: CommonModule, providers, exports: providers.map((p) => ('provide' in p ? p.provide : p)) };
  }
}

/** The whole bridge. */
@Module({})
export class AppModule {
  /** @param settings of the service, read from its environment */
  static forRoot(settings: ServiceSettings): DynamicModule {
    return {
      module: AppModule,
      imports: [
        LoggerModule.forRoot({ pinoHttp: { level: settings.log.level, autoLogging: false, quietReqLogger: true } }),
        CommonModule.forRoot(settings),
        InboxModule,
        GatewayModule,
        HermesModule,
        RunsModule,
        AdminModule,
      ],
    };
  }
}
