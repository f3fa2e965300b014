// SPDX-License-Identifier: Apache-2.0
import { Transform, Type } from 'class-transformer';
import { IsBoolean, IsInt, IsNotEmpty, IsString, Max, MaxLength, Min } from 'class-validator';
import { Field } from '../openapi/field.js';

/** Most rows of a page. */
export const MAX_PAGE = 200;
/** Rows of a page when nothing else is asked for. */
export const DEFAULT_PAGE = 50;
/** Characters of the operator's reason. */
const MAX_REASON = 500;

/** A whole number in an address. */
export function NumberInAddress(minimum: number, maximum: number): PropertyDecorator {
  return (target, property) => {
    for (const decorate of [Type(() => Number), IsInt(), Min(minimum), Max(maximum)])
      decorate(target, String(property));
  };
}

/** `true` or `false` in an address. */
export function BooleanInAddress(): PropertyDecorator {
  return (target, property) => {
    const read = Transform(({ value }: { value: unknown }) =>
      value === 'true' ? true : value === 'false' ? false : value,
    );
    for (const decorate of [read, IsBoolean()]) decorate(target, String(property));
  };
}

/** Unix ms as the answers show a time. */
export function isoTime(at: number): string {
  return new Date(at).toISOString();
}

/** Why the operator decides: stands in the audit trail. */
export class ReasonBody {
  @Field({
    description: 'Why; stands in the audit trail.',
    example: 'The turn had only read a calendar.',
    maxLength: MAX_REASON,
  })
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_REASON)
  readonly reason!: string;
}
