// SPDX-License-Identifier: Apache-2.0
import type {
  AdmissionSnapshot,
  AttachReport,
  HermesHost,
  HermesHostStatus,
  StartCommand,
  StartReply,
} from '../../src/modules/hermes/index.js';

/** The port HermesHost without a link: it records starts and answers as the test says. */
export class FakeHermesHost implements HermesHost {
  readonly starts: Omit<StartCommand, 'op'>[] = [];
  readonly suspended: string[] = [];
  readonly reset: string[] = [];
  /** Reasons of the resets that were asked for: each attempt has its own. */
  readonly resetReasons: string[] = [];
  /** Answer to the next resets. */
  resetReply: () => Promise<{ existed: boolean }> = () => Promise.resolve({ existed: true });
  /** Claims that the process says it knows. */
  known: readonly string[] = [];
  /** Answer to the next starts. */
  reply: () => Promise<StartReply> = () => Promise.resolve({ taken: true, repeated: false });
  current: HermesHostStatus = { attached: null, refused: null, stopping: false };

  setHandler(): void {
    return undefined;
  }

  listen(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  status(): HermesHostStatus {
    return this.current;
  }

  /** Makes the process of this report the attached one. */
  attach(report: AttachReport): void {
    const { instance, pid, versions, hermes } = report;
    this.current = {
      attached: { instance, pid, versions, settings: hermes, since: 0 },
      refused: null,
      stopping: false,
    };
  }

  startTurn(start: Omit<StartCommand, 'op'>): Promise<StartReply> {
    this.starts.push(start);
    return this.reply();
  }

  interruptTurn(): Promise<boolean> {
    return Promise.resolve(false);
  }

  suspendSession(sessionKey: string): Promise<{ existed: boolean }> {
    this.suspended.push(sessionKey);
    return Promise.resolve({ existed: true });
  }

  async resetSession(sessionKey: string, reason: string): Promise<{ existed: boolean }> {
    this.resetReasons.push(reason);
    const answer = await this.resetReply();
    this.reset.push(sessionKey);
    return answer;
  }

  knownAdmissions(): Promise<readonly AdmissionSnapshot[]> {
    return Promise.resolve(this.known.map((id) => ({ id, state: 'started' })));
  }
}

/** Report of a Hermes process as Angelia needs it. */
export function attachReport(changes: Partial<AttachReport> = {}): AttachReport {
  return {
    instance: 'a'.repeat(32),
    pid: 1,
    versions: { shim: '0.1.0', hermes: '0.19.0', python: '3.11.7', protocol: 1 },
    platform: { base_url: 'https://chat.example.com' },
    hermes: {
      group_sessions_per_user: false,
      thread_sessions_per_user: false,
      busy_input_mode: 'queue',
      multiplex_profiles: false,
      streaming: { enabled: true, transport: 'edit' },
      worker_threads: 10,
      official_plugin_enabled: false,
    },
    commands: { version: '0.19.0', builtin: [], plugin: [] },
    sessions: { cleared: [] },
    admissions: [],
    first_unacknowledged: 1,
    ...changes,
  };
}
