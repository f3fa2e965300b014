// SPDX-License-Identifier: Apache-2.0

/** Columns of a terminal between two cells. */
const GAP = '  ';
const STEPS: readonly (readonly [unit: string, seconds: number])[] = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
];

/**
 * Lays out rows under a head.
 * @param head names of the columns
 * @param rows their cells; null is shown as `-`
 */
export function table(head: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => visible(cell ?? '-')));
  const widths = head.map((_name, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const lines = cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join(GAP)
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}

/** Lays out names and values. */
export function facts(entries: readonly (readonly [name: string, value: string | number | null])[]): string {
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, value]) => `${name.padEnd(width)}${GAP}${visible(value ?? '-')}\n`).join('');
}

/** A text of others as a terminal may show it: what would move its cursor or change its colours is spelled out. */
export function visible(value: string | number): string {
  return String(value).replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** Several lines of others: every line is indented and made visible. */
export function quoted(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => `  ${visible(line.replaceAll('\t', '    '))}\n`)
    .join('');
}

/** Seconds in the largest two units that fit. */
export function duration(seconds: number): string {
  const first = STEPS.findIndex(([, size]) => seconds >= size);
  if (first === -1) return '0 s';
  let rest = Math.floor(seconds);
  const parts = STEPS.slice(first, first + 2).flatMap(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest %= size;
    return count === 0 ? [] : [`${String(count)} ${unit}`];
  });
  return parts.join(' ');
}
