// SPDX-License-Identifier: Apache-2.0
import { AngeliaError, ErrorCode } from '../common/errors.js';

/** @throws AngeliaError `request_invalid` */
export function positive(field: string, value: string): number {
  const number = Number(value);
  if (!(number > 0) || !Number.isFinite(number)) throw new AngeliaError(ErrorCode.RequestInvalid, { field });
  return number;
}

/** The one argument of a command. @throws AngeliaError `request_invalid` */
export function only(field: string, values: readonly string[]): string {
  const [value] = values;
  if (value === undefined || value === '') throw new AngeliaError(ErrorCode.RequestInvalid, { field });
  return value;
}

/** The ingest number of a receipt. @throws AngeliaError `request_invalid` */
export function ingestNumber(values: readonly string[]): number {
  const value = only('SEQ', values);
  if (!/^[1-9]\d{0,15}$/.test(value)) throw new AngeliaError(ErrorCode.RequestInvalid, { field: 'SEQ' });
  return Number(value);
}

/** Joins what a query has. */
export function withQuery(
  path: string,
  values: Readonly<Record<string, string | number | boolean | undefined>>,
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.set(name, String(value));
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}
