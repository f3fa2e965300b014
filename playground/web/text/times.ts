// SPDX-License-Identifier: Apache-2.0

const MILLISECONDS_OF_A_DAY = 86_400_000;

/** Formats times in the language of the browser, in its time zone. One instance, because making formats is slow. */
export class Times {
  readonly #clock: Intl.DateTimeFormat;
  readonly #full: Intl.DateTimeFormat;
  readonly #day: Intl.DateTimeFormat;
  readonly #dayOfYear: Intl.DateTimeFormat;
  readonly #relative: Intl.RelativeTimeFormat;

  /** @param locale BCP 47 tag; undefined takes the language of the browser */
  constructor(locale?: string) {
    this.#clock = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' });
    this.#full = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'medium' });
    this.#day = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' });
    this.#dayOfYear = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', year: 'numeric' });
    this.#relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  }

  /** Hour and minute of a time in milliseconds since 1970. */
  clock(at: number): string {
    return this.#clock.format(at);
  }

  /** The whole date and time, for the tool tip. */
  full(at: number): string {
    return this.#full.format(at);
  }

  /** The day as people say it: today, yesterday, weekday and date, with the year when it is another one. */
  day(at: number, now: number): string {
    const days = daysBetween(at, now);
    if (days === 0 || days === 1) return capital(this.#relative.format(-days, 'day'));
    const sameYear = new Date(at).getFullYear() === new Date(now).getFullYear();
    return (sameYear ? this.#day : this.#dayOfYear).format(at);
  }
}

/** Whether two times are on one calendar day of this time zone. */
export function sameDay(left: number, right: number): boolean {
  return daysBetween(left, right) === 0;
}

/** Milliseconds from a time to the next midnight of this time zone. */
export function untilMidnight(now: number): number {
  const next = new Date(now);
  next.setHours(24, 0, 0, 0);
  return next.getTime() - now;
}

/** Calendar days from one time to another; days of 23 and 25 hours count as one. */
function daysBetween(from: number, to: number): number {
  return Math.round((startOfDay(to) - startOfDay(from)) / MILLISECONDS_OF_A_DAY);
}

/** Midnight at which the day of a time began. */
function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}

/** A word with a capital, for languages that have them. */
function capital(text: string): string {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}
