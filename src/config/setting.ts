// SPDX-License-Identifier: Apache-2.0
import { validateSync } from 'class-validator';
import { AngeliaError, ErrorCode } from '../common/errors.js';

/** A raw value that its reader does not accept. It carries the rule that was broken, never the value. */
export class UnreadableValue extends Error {
  /** @param expected the rule in words; undefined: the one of the setting */
  constructor(readonly expected?: string) {
    super(expected ?? 'unreadable value');
    this.name = 'UnreadableValue';
  }
}

/** Turns a raw value into the setting's type. @throws UnreadableValue */
export type SettingReader<V> = (raw: unknown) => V;

/** What a configuration key is: read by the validation, by its errors and by the generated reference (QLT-3). */
export interface SettingDescription<V = unknown> {
  /** Name as the operator writes it. */
  readonly key: string;
  /** What it does, for people. */
  readonly description: string;
  /** Unit of the value. */
  readonly unit?: string;
  /** The rule in words; it stands in the error when the rule is broken. */
  readonly expected: string;
  /** Value when the key is absent; without it (and without `defaultText`) the key is required. */
  readonly default?: V;
  /** Words for a default that is computed or for a key that may stay away. */
  readonly defaultText?: string;
  readonly read: SettingReader<V>;
}

interface RegisteredSetting {
  readonly property: string;
  readonly description: SettingDescription;
}

const registry = new Map<unknown, RegisteredSetting[]>();

/**
 * Declares a property as a configuration key.
 * @param description its key, meaning, unit, rule and default; the rules of class-validator stand beside it
 */
export function Setting<V>(description: SettingDescription<V>): PropertyDecorator {
  return (target, property) => {
    const settings = registry.get(target.constructor) ?? [];
    settings.push({ property: String(property), description });
    registry.set(target.constructor, settings);
  };
}

/** @returns the keys of a settings class in the order of their declaration */
export function describeSettings(type: new () => object): readonly SettingDescription[] {
  return (registry.get(type) ?? []).map((setting) => setting.description);
}

/**
 * Reads and checks all keys of a settings class.
 * @param type the class, its properties declared with `@Setting`
 * @param lookup gives the raw value of a key; undefined, null and the empty string of an absent one
 * @param section stands before the key in errors, for example `borgee.`
 * @throws AngeliaError `config_invalid` with the details `key` and `expected`, never the value
 */
export function readSettings<T extends object>(type: new () => T, lookup: (key: string) => unknown, section = ''): T {
  const settings = new type();
  const described = registry.get(type) ?? [];
  for (const { property, description } of described) {
    const value = readOne(description, lookup(description.key), section);
    if (value !== undefined) Object.assign(settings, { [property]: value });
  }
  const [broken] = validateSync(settings, { skipMissingProperties: true, forbidUnknownValues: false });
  const rule = described.find((setting) => setting.property === broken?.property);
  if (rule !== undefined) throw invalidSetting(section + rule.description.key, rule.description.expected);
  return settings;
}

function readOne(description: SettingDescription, raw: unknown, section: string): unknown {
  if (raw === undefined || raw === null || raw === '') {
    if (description.default === undefined && description.defaultText === undefined) {
      throw invalidSetting(section + description.key, `${description.expected} (required)`);
    }
    return description.default;
  }
  try {
    return description.read(raw);
  } catch (error) {
    if (!(error instanceof UnreadableValue)) throw error;
    throw invalidSetting(section + description.key, error.expected ?? description.expected);
  }
}

/** The error of one key. It names the key and the rule, never the value, which could be a secret in the wrong place. */
export function invalidSetting(key: string, expected: string): AngeliaError {
  return new AngeliaError(ErrorCode.ConfigInvalid, { key, expected });
}
