// SPDX-License-Identifier: Apache-2.0
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { AngeliaError, codeOf, ErrorCode } from '../../../common/errors.js';
import type { Telemetry } from '../../../common/telemetry.js';
import { answerJson, refusalOf } from './http-exchange.js';
import type { LinkHostOptions, LinkLimits } from './link-options.js';

/** Answers one request, or throws what is to be told to the caller. */
export type LinkRoute = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

/** The routes of the link, by method and path. */
export type LinkRoutes = ReadonlyMap<string, LinkRoute>;

/** Time for the headers and for the whole of a request to arrive; ms. A body of 64 MiB takes well below a second on the loopback. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 60_000;

/**
 * The loopback server of the link: a bare HTTP server, so that a turn passes no pipe, interceptor or request log.
 * It only knows routes, hosts and refusals.
 */
export class LinkServer {
  private readonly server: Server;
  private hosts: ReadonlySet<string> = new Set();
  private draining = false;

  constructor(
    private readonly options: Pick<LinkHostOptions, 'listen'>,
    limits: LinkLimits,
    private readonly routes: LinkRoutes,
    private readonly telemetry: Telemetry,
  ) {
    // No keep-alive limit: the shim's connection may rest for hours, and a limit would race with its next request.
    this.server = createServer(
      { keepAliveTimeout: 0, headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS, noDelay: true },
      (request, response) => void this.serve(request, response),
    );
    this.server.maxConnections = limits.link_max_connections;
  }

  /** @returns the port. @throws AngeliaError `config_invalid` when the address cannot be listened on */
  async listen(): Promise<number> {
    const { host, port } = this.options.listen;
    await new Promise<void>((resolve, reject) => {
      const refused = (error: NodeJS.ErrnoException): void =>
        reject(
          new AngeliaError(ErrorCode.ConfigInvalid, { key: 'ANGELIA_LINK_LISTEN', reason: String(error.code) }, error),
        );
      this.server.once('error', refused);
      this.server.listen({ host, port, exclusive: true }, () => {
        this.server.off('error', refused);
        resolve();
      });
    });
    // A connection that could not be accepted (no descriptor left) is the shim's to try again.
    this.server.on('error', () => this.reportUnexpected('accept'));
    const bound = (this.server.address() as AddressInfo).port;
    this.hosts = new Set([`${isIPv6(host) ? `[${host}]` : host}:${bound}`, `localhost:${bound}`]);
    return bound;
  }

  /** Accepts nothing further and closes idle connections; resolves when all are closed. */
  drain(): Promise<void> {
    this.draining = true;
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  /** Closes the connections that have become idle meanwhile. */
  cutIdle(): void {
    this.server.closeIdleConnections();
  }

  /** Closes the connections that are left. */
  cut(): void {
    this.server.closeAllConnections();
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      this.requireOwnHost(request);
      if (this.draining) throw new AngeliaError(ErrorCode.LinkDetached);
      const route = this.routes.get(`${request.method ?? ''} ${request.url ?? ''}`);
      if (route === undefined) answerJson(response, 404, { code: ErrorCode.LinkRequestInvalid, field: 'path' });
      else await route(request, response);
    } catch (error) {
      if (codeOf(error) === ErrorCode.Internal) this.reportUnexpected(request.url ?? '');
      const { status, body } = refusalOf(error);
      answerJson(response, status, body);
    }
  }

  private reportUnexpected(at: string): void {
    this.telemetry.emit('error.unexpected', { where: 'link', code: ErrorCode.Internal, ids: { at } });
  }

  /** A page in a browser that was led here by a name of its own must not get an answer. */
  private requireOwnHost(request: IncomingMessage): void {
    if (!this.hosts.has(request.headers.host ?? '')) {
      throw new AngeliaError(ErrorCode.LinkRequestInvalid, { field: 'host' });
    }
  }
}
