// SPDX-License-Identifier: Apache-2.0
import type { ErrorCode } from '../../../common/errors.js';
import type { Scope } from '../access/admin-tokens.js';
import type { Described } from './field.js';

/** What one operation of the admin interface is: its guard, its page in the OpenAPI document and its test read this. */
export interface OperationDescription {
  /** One sentence. */
  readonly summary: string;
  readonly description?: string;
  /** What the token must allow; `open`: no token is asked for. */
  readonly scope: Scope | 'open';
  /** Class of the answer; `text`: plain text. `json`: an object of another standard. */
  readonly answer: Described | 'text' | 'json';
  /** Another status that carries the same kind of answer. */
  readonly also?: { readonly status: number; readonly description: string };
  /** Errors of its own, beside those that every operation may have. */
  readonly errors?: readonly ErrorCode[];
  /** A request that works. */
  readonly example: {
    readonly path?: Readonly<Record<string, string | number>>;
    readonly query?: Readonly<Record<string, string | number | boolean>>;
    readonly body?: Readonly<Record<string, unknown>>;
  };
}

/** An operation where it stands. */
export interface RegisteredOperation extends OperationDescription {
  readonly controller: new (...parts: never[]) => object;
  readonly method: string;
}

const byHandler = new Map<unknown, RegisteredOperation>();

/** Describes a handler, and says which scope it needs. */
export function Operation(description: OperationDescription): MethodDecorator {
  return (target, method, descriptor) => {
    const controller = target.constructor as RegisteredOperation['controller'];
    byHandler.set(descriptor.value, { ...description, controller, method: String(method) });
  };
}

/** @returns the operation of a handler, if it is described */
export function operationOf(handler: unknown): RegisteredOperation | undefined {
  return byHandler.get(handler);
}

/** @returns every described operation */
export function allOperations(): readonly RegisteredOperation[] {
  return [...byHandler.values()];
}
