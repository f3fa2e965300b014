// SPDX-License-Identifier: Apache-2.0
import { slashCommand } from './slash-command.js';

/**
 * What a receipt may do while its session is busy (INB-7):
 * - `ordinary` waits for its turn;
 * - `control` is a command of Hermes, or the answer to an open question: it may run beside the busy turn;
 * - `urgent_stop` is a stop, with a slot of its own;
 * - `unclassified` names a command while no table of commands is known: stored, never dispatched, classified later (D-12).
 */
export type DispatchClass = 'ordinary' | 'control' | 'urgent_stop' | 'unclassified';

/** Commands of one version of Hermes, as lookups. */
export interface KnownCommands {
  /** Canonical name by name and alias, in lower case. */
  readonly builtin: ReadonlyMap<string, string>;
  /** Names of plugin commands. */
  readonly plugin: ReadonlySet<string>;
}

/** Class and text of a message. */
export interface Classified {
  readonly dispatchClass: DispatchClass;
  /** The text that runs: `/queue x` and `/q x` have lost their prefix. */
  readonly body: string;
}

/** The table that a shim brought (docs/link.md, section 3). */
export interface CommandTableData {
  readonly builtin: readonly { readonly name: string; readonly aliases: readonly string[] }[];
  readonly plugin: readonly string[];
}

/** Makes a table fast to look up. */
export function knownCommands(table: CommandTableData): KnownCommands {
  const builtin = new Map<string, string>();
  for (const { name, aliases } of table.builtin) {
    for (const known of [name, ...aliases]) builtin.set(known.toLowerCase(), name.toLowerCase());
  }
  return { builtin, plugin: new Set(table.plugin.map((name) => name.toLowerCase())) };
}

/**
 * Classifies a text by the rules of the seed (bpp 6.5, 6.6); the first that fits counts.
 * @param commands null while no table is known
 * @param questionOpen a question of Hermes is open in the session of the text
 */
export function classify(text: string, commands: KnownCommands | null, questionOpen: boolean): Classified {
  const name = slashCommand(text);
  if (name === null) return { dispatchClass: questionOpen ? 'control' : 'ordinary', body: text };
  if (commands === null) return { dispatchClass: 'unclassified', body: text };
  const builtin = commands.builtin.get(name);
  if (builtin === 'queue') {
    const queued = text.replace(/^\/\S*/, '').trim();
    return queued === '' ? { dispatchClass: 'control', body: text } : { dispatchClass: 'ordinary', body: queued };
  }
  if (builtin === 'stop') return { dispatchClass: 'urgent_stop', body: text };
  if (builtin !== undefined || commands.plugin.has(name.replaceAll('_', '-')))
    return { dispatchClass: 'control', body: text };
  return { dispatchClass: 'ordinary', body: text };
}
