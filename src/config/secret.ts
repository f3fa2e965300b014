// SPDX-License-Identifier: Apache-2.0
import { inspect } from 'node:util';

const MASK = '[secret]';

/** A value that shows itself only where it is asked to: texts, JSON, logs and the inspector see a mask (SEC-1). */
export class Secret {
  readonly #value: string;

  /** @param value the secret itself */
  constructor(value: string) {
    this.#value = value;
  }

  /** @returns the secret, for the one place that needs it; never store or print the result */
  reveal(): string {
    return this.#value;
  }

  /** @returns whether the other one hides the same value */
  equals(other: Secret): boolean {
    return this.#value === other.#value;
  }

  toString(): string {
    return MASK;
  }

  toJSON(): string {
    return MASK;
  }

  [inspect.custom](): string {
    return MASK;
  }
}
