// SPDX-License-Identifier: Apache-2.0
import type { Logger } from 'pino';
import type { Telemetry, TelemetryEvents, TelemetryName } from './common/telemetry.js';

type Level = 'debug' | 'info' | 'warn' | 'error';

/** How one event is written. */
interface Line<N extends TelemetryName> {
  readonly level: Level | ((event: TelemetryEvents[N]) => Level);
  readonly text: string;
}

/** Level and sentence of every event of the catalogue; a new event does not compile without its line here. */
const LINES: { readonly [N in TelemetryName]: Line<N> } = {
  'receipt.committed': { level: 'debug', text: 'receipt committed' },
  'receipt.claimed': { level: 'debug', text: 'receipt claimed' },
  'receipt.started': { level: 'debug', text: 'turn started' },
  'receipt.released': { level: 'info', text: 'receipt is pending again: nothing of it had run' },
  'receipt.terminal': { level: 'info', text: 'receipt ended' },
  'receipt.quarantined': { level: 'error', text: 'receipt quarantined: its lane waits for the operator' },
  'receipt.remediated': { level: 'warn', text: 'the operator decided about a quarantined receipt' },
  'session.reset': { level: 'info', text: 'the session of a decision was reset: its lane is open' },
  'pause.changed': { level: 'warn', text: 'the operator paused or resumed' },
  'lanes.held': { level: 'warn', text: 'old messages wait for the operator' },
  'retention.passed': { level: 'debug', text: 'retention went through the ledger' },
  'turn.usage': { level: 'debug', text: 'tokens of a turn' },
  'outbox.writing': { level: 'debug', text: 'write to the chat server' },
  'outbox.settled': {
    level: ({ state }) => (state === 'confirmed' ? 'debug' : 'warn'),
    text: 'write to the chat server settled',
  },
  'gateway.state': {
    level: ({ state }) => (state === 'online' || state === 'stopped' ? 'info' : 'warn'),
    text: 'chat server',
  },
  'gateway.frame_rejected': { level: 'warn', text: 'a frame of the chat server was set aside' },
  'link.attached': { level: 'info', text: 'Hermes attached' },
  'link.detached': { level: 'warn', text: 'Hermes detached' },
  'link.refused': { level: 'error', text: 'Hermes was refused' },
  'link.dropped': { level: 'info', text: 'the shim held back what no turn asked for' },
  'health.changed': { level: ({ status }) => (status === 'red' ? 'warn' : 'info'), text: 'health changed' },
  'error.unexpected': { level: 'error', text: 'unexpected error' },
};

/** Writes the catalogue to the log: ids, codes and numbers, never content (SEC-1). */
export function logTelemetry(telemetry: Telemetry, logger: Logger): void {
  for (const name of Object.keys(LINES) as TelemetryName[]) {
    const { level, text } = LINES[name] as Line<TelemetryName>;
    telemetry.on(name, (event) => {
      const fields: Readonly<Record<string, unknown>> = { event: name, ...event };
      logger[typeof level === 'function' ? level(event) : level](fields, text);
    });
  }
}
