// SPDX-License-Identifier: Apache-2.0

/** A class whose fields are described. */
export type Described = new () => object;

/** What a field of a request or an answer is; read by the OpenAPI document and by its test. */
export interface FieldDescription {
  readonly description: string;
  /** Default: `string`. `map`: an object whose values are numbers, texts or booleans. */
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'map';
  /** A value as the document shows it; left out for a nested object. */
  readonly example?: unknown;
  readonly format?: 'date-time';
  readonly enum?: readonly string[];
  readonly nullable?: boolean;
  /** The field may be left out. */
  readonly optional?: boolean;
  readonly list?: boolean;
  /** Class of a nested object. */
  readonly of?: () => Described;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
}

const registry = new Map<unknown, Map<string, FieldDescription>>();

/**
 * Describes a property of a request or an answer. Nothing of it is needed to serve requests: the document is built only when it is asked for.
 */
export function Field(description: FieldDescription): PropertyDecorator {
  return (target, property) => {
    const fields = registry.get(target.constructor) ?? new Map<string, FieldDescription>();
    fields.set(String(property), description);
    registry.set(target.constructor, fields);
  };
}

/** @returns the described fields of a class in their order, those of its base first */
export function fieldsOf(type: Described): ReadonlyMap<string, FieldDescription> {
  const base = Object.getPrototypeOf(type) as Described | null;
  const own = registry.get(type) ?? new Map<string, FieldDescription>();
  return base === null || base === Function.prototype ? own : new Map([...fieldsOf(base), ...own]);
}

/** @returns the example of a class, put together from its fields */
export function exampleOf(type: Described): Record<string, unknown> {
  return Object.fromEntries([...fieldsOf(type)].map(([name, field]) => [name, exampleOfField(field)]));
}

function exampleOfField({ of, list, nullable, example }: FieldDescription): unknown {
  if (of === undefined || (example === null && nullable === true)) return example;
  return list === true ? [exampleOf(of())] : exampleOf(of());
}
