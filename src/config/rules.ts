// SPDX-License-Identifier: Apache-2.0
import { registerDecorator } from 'class-validator';

/**
 * The value is a number above a bound that is itself not allowed.
 * @param bound in the unit of the setting
 */
export function IsAbove(bound: number): PropertyDecorator {
  return (target, property) => {
    registerDecorator({
      name: 'isAbove',
      target: target.constructor,
      propertyName: String(property),
      validator: { validate: (value: unknown) => typeof value === 'number' && value > bound },
    });
  };
}
