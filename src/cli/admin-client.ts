// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { AngeliaError, ErrorCode, type ErrorDetails } from '../common/errors.js';
import { readSecretFile } from '../common/secret-file.js';

/** One request to the admin interface. */
export interface AdminRequest {
  readonly method: 'GET' | 'POST';
  /** Begins with `/`; every part is encoded. */
  readonly path: string;
  readonly body?: object;
  /** Asks with the token that also allows to see what people wrote. */
  readonly content?: boolean;
}

/** An answer that is no error. */
export interface AdminAnswer<T> {
  readonly status: number;
  readonly body: T;
}

const KNOWN_CODES: ReadonlySet<string> = new Set(Object.values(ErrorCode));

/**
 * Talks to the bridge of one state folder. The token is read from its file and never stands among the arguments (SEC-1); no proxy is ever used. It
 * goes only to an address that a living process has left there: after a crash another program may have got the port.
 */
export class AdminClient {
  /**
   * @param stateDir folder with `admin.json` and the token files
   * @param person who asks, for the audit trail
   * @param timeoutMs longest wait for an answer
   */
  constructor(
    private readonly stateDir: string,
    private readonly person: string,
    private readonly timeoutMs: number,
  ) {}

  /** @throws AngeliaError with the code of the bridge, `bridge_unreachable`, `secret_file_mode` */
  async ask<T>({ method, path, body, content = false }: AdminRequest): Promise<AdminAnswer<T>> {
    const url = new URL(path, this.address());
    const payload = body === undefined ? '' : JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${this.token(content ? 'admin-content.token' : 'admin.token')}`,
      ...(this.person !== '' && { 'angelia-actor': this.person }),
      ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
    };
    const { status, text } = await exchange(url, method, headers, payload, this.timeoutMs);
    const answer = parsed(text);
    if (status >= 400 && isError(answer)) throw new AngeliaError(answer.code, answer.details);
    return { status, body: answer as T };
  }

  private address(): string {
    try {
      const { url, pid } = JSON.parse(readFileSync(join(this.stateDir, 'admin.json'), 'utf8')) as {
        url: string;
        pid: number;
      };
      if (isAlive(pid)) return url;
    } catch (error) {
      throw unreachable(this.stateDir, error);
    }
    throw unreachable(this.stateDir);
  }

  private token(name: string): string {
    try {
      return readSecretFile(join(this.stateDir, name)).trim();
    } catch (error) {
      if (error instanceof AngeliaError) throw error;
      throw new AngeliaError(ErrorCode.AdminTokenRefused, { file: name }, error);
    }
  }
}

function exchange(
  url: URL,
  method: string,
  headers: Readonly<Record<string, string | number>>,
  payload: string,
  timeoutMs: number,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const outgoing = request(url, { method, headers, agent: false, signal }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', (error) => reject(unreachable(url.host, error)));
      incoming.on('end', () => {
        resolve({ status: incoming.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') });
      });
    });
    outgoing.on('error', (error) => reject(unreachable(url.host, error)));
    outgoing.end(payload);
  });
}

function unreachable(where: string, cause?: unknown): AngeliaError {
  return new AngeliaError(ErrorCode.BridgeUnreachable, { where }, cause);
}

/** True for a process that lives, also for one of another user. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** @throws AngeliaError `bridge_unreachable` for something that no bridge says */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw unreachable('answer', error);
  }
}

function isError(answer: unknown): answer is { code: ErrorCode; details: ErrorDetails } {
  const code = (answer as { code?: unknown } | null)?.code;
  return typeof code === 'string' && KNOWN_CODES.has(code);
}
