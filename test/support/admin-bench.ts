// SPDX-License-Identifier: Apache-2.0
import { Global, Module, type Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { join } from 'node:path';
import { Clock } from '../../src/common/clock.js';
import type { AngeliaError } from '../../src/common/errors.js';
import { readSecretFile, replaceSecretFile } from '../../src/common/secret-file.js';
import { Telemetry } from '../../src/common/telemetry.js';
import { ServiceSettings } from '../../src/config/index.js';
import { adminHttpAdapter, AdminModule, OpenApi } from '../../src/modules/admin/index.js';
import { CHAT_SERVER } from '../../src/modules/gateway/index.js';
import { HERMES_HOST } from '../../src/modules/hermes/index.js';
import { LEDGER_STORE, Pauses, Remediation, Retention, Scheduler } from '../../src/modules/inbox/index.js';
import { EffectiveSettings, HermesAttachment, RunsModule } from '../../src/modules/runs/index.js';
import { OperatorBench } from './operator-bench.js';

/** Settings of the chat server and what Hermes gives, as far as health asks. */
export interface HealthFacts {
  problem: AngeliaError | null;
  warnings: readonly string[];
  current: { max_concurrent_dispatches: number };
  effectiveDispatches: number;
}

/** One request. */
export interface BenchRequest {
  readonly method?: 'GET' | 'POST';
  readonly body?: object | string;
  /** File of the token; null: none. */
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer with its body as JSON, if it is some. */
export interface BenchAnswer<T> {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: T;
  readonly text: string;
}

/** The real admin module over an `OperatorBench`. */
export class AdminBench {
  readonly facts: HealthFacts = {
    problem: null,
    warnings: [],
    current: { max_concurrent_dispatches: 4 },
    effectiveDispatches: 4,
  };

  private constructor(
    readonly bench: OperatorBench,
    readonly stateDir: string,
    private readonly limits: { eventLoopDelayMs: number; diskLowBytes: number },
  ) {}

  private server: NestFastifyApplication | null = null;

  get app(): NestFastifyApplication {
    if (this.server === null) throw new Error('the bench is not open');
    return this.server;
  }

  /** @param controllers stand beside those of the module */
  static async open(limits: Partial<AdminBench['limits']> = {}, controllers: Type[] = []): Promise<AdminBench> {
    const bench = await OperatorBench.open();
    const stateDir = join(bench.folder.folder, 'state');
    const admin = new AdminBench(bench, stateDir, { eventLoopDelayMs: 60_000, diskLowBytes: 0, ...limits });
    await admin.start(controllers);
    return admin;
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.bench.close();
  }

  /** Listens as the service does, and leaves its address in the state folder. */
  async listen(): Promise<string> {
    await this.app.listen(0, '127.0.0.1');
    const url = await this.app.getUrl();
    replaceSecretFile(join(this.stateDir, 'admin.json'), JSON.stringify({ url, pid: process.pid }));
    return url;
  }

  /** Secret of a token file. */
  secret(file: string): string {
    return readSecretFile(join(this.stateDir, file)).trim();
  }

  /** Sends a request, with the operator's token unless another one is asked for. */
  async ask<T>(url: string, request: BenchRequest = {}): Promise<BenchAnswer<T>> {
    const { method = 'GET', body, token = 'admin.token', headers } = request;
    const reply = await this.app.inject({
      method,
      url,
      headers: {
        host: '127.0.0.1:8080',
        ...(token !== null && { authorization: `Bearer ${this.secret(token)}` }),
        ...(typeof body === 'string' && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { payload: body }),
    });
    const isJson = String(reply.headers['content-type']).startsWith('application/json');
    return {
      status: reply.statusCode,
      headers: reply.headers,
      body: (isJson ? reply.json() : null) as T,
      text: reply.body,
    };
  }

  post<T>(url: string, body: object = {}, request: BenchRequest = {}): Promise<BenchAnswer<T>> {
    return this.ask<T>(url, { method: 'POST', body, ...request });
  }

  private async start(controllers: Type[]): Promise<void> {
    const { store, scheduler, pauses, remediation, retention, chat, host, clock, telemetry } = this.bench;
    const providers = [
      { provide: LEDGER_STORE, useValue: store },
      { provide: Scheduler, useValue: scheduler },
      { provide: Pauses, useValue: pauses },
      { provide: Remediation, useValue: remediation },
      { provide: Retention, useValue: retention },
      { provide: CHAT_SERVER, useValue: chat },
      { provide: HERMES_HOST, useValue: host },
      { provide: Clock, useValue: clock },
      { provide: Telemetry, useValue: telemetry },
      { provide: EffectiveSettings, useValue: this.facts },
      { provide: HermesAttachment, useValue: this.facts },
      { provide: ServiceSettings, useValue: { paths: { stateDir: this.stateDir }, health: this.limits } },
    ];

    @Global()
    @Module({ providers, exports: providers.map(({ provide }) => provide) })
    class Parts {}

    const module = await Test.createTestingModule({ imports: [Parts, AdminModule], controllers })
      .overrideModule(RunsModule)
      .useModule(Parts)
      .compile();
    this.server = module.createNestApplication<NestFastifyApplication>(adminHttpAdapter(), { logger: false });
    this.server.get(OpenApi).serve(this.server);
    await this.server.init();
    await this.server.getHttpAdapter().getInstance().ready();
  }
}
