// SPDX-License-Identifier: Apache-2.0
import { Ajv, type AnySchemaObject, type ErrorObject, type ValidateFunction } from 'ajv';

/** What is wrong with a frame: names only, never a value. */
export interface FrameProblem {
  /** Type of the frame; empty when it could not be read, `unknown` when the type is none of the protocol. */
  readonly type: string;
  /** Path of the wrong field (`data.action`); empty for the frame as a whole. */
  readonly field: string;
  /** The rule that was broken: a schema keyword, `json`, `object`, `unknown_type`, … */
  readonly rule: string;
}

/** Outcome of a check. */
export type Checked<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: FrameProblem };

const ajv = new Ajv({ strict: true, allErrors: false });

/** An integer that JavaScript holds exactly; JSON numbers beyond 2^53 round silently. */
export const safeInteger = {
  type: 'integer',
  maximum: Number.MAX_SAFE_INTEGER,
  minimum: Number.MIN_SAFE_INTEGER,
} as const;

/** A safe integer from a lower bound on. */
export const integerFrom = (minimum: number): AnySchemaObject => ({ ...safeInteger, minimum });

export const anyString = { type: 'string' } as const;
export const nonEmptyString = { type: 'string', minLength: 1 } as const;
/** At least one character that is no white space. */
export const nonBlankString = { type: 'string', pattern: '\\S' } as const;

/** An object with exactly these fields; names that end in `?` may be absent. */
export function closedObject(
  fields: Readonly<Record<string, AnySchemaObject>>,
  more: AnySchemaObject = {},
): AnySchemaObject {
  return { ...openObject(fields), additionalProperties: false, ...more };
}

/** An object with at least these fields; names that end in `?` may be absent, foreign fields are allowed. */
export function openObject(fields: Readonly<Record<string, AnySchemaObject>>): AnySchemaObject {
  const entries = Object.entries(fields);
  return {
    type: 'object',
    required: entries.map(([name]) => name).filter((name) => !name.endsWith('?')),
    properties: Object.fromEntries(entries.map(([name, schema]) => [name.replace(/\?$/, ''), schema])),
  };
}

/** Compiles a schema once; the type argument is the caller's promise that both agree. */
export function compile<T>(schema: AnySchemaObject): ValidateFunction<T> {
  return ajv.compile<T>(schema);
}

/** Runs a compiled validator and names what is wrong. */
export function check<T>(type: string, validate: ValidateFunction<T>, value: unknown): Checked<T> {
  if (validate(value)) return { ok: true, value };
  const error = validate.errors?.[0];
  return refused(type, error === undefined ? '' : fieldOf(error), error?.keyword ?? 'schema');
}

/** A refusal. */
export function refused(
  type: string,
  field: string,
  rule: string,
): { readonly ok: false; readonly problem: FrameProblem } {
  return { ok: false, problem: { type, field, rule } };
}

function fieldOf(error: ErrorObject): string {
  const path = error.instancePath.split('/').slice(1);
  const params: Readonly<Record<string, unknown>> = error.params;
  const named = params['missingProperty'] ?? params['additionalProperty'];
  if (typeof named === 'string') path.push(named);
  return path.join('.');
}

/** Parses JSON text; `undefined` when it is none (JSON itself has no such value). */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** True for a JSON object; arrays and null are none. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A type name as it may stand in a log: names look like names, everything else is content of a stranger. */
export function printableType(type: string): string {
  return /^[a-z][a-z0-9_.]{0,63}$/.test(type) ? type : 'unknown';
}
