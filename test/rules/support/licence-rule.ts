// SPDX-License-Identifier: Apache-2.0

/** Licences under which a dependency may be used: permissive ones, and weak copyleft that ends at the file. */
const ALLOWED: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-3.0',
  'CC-BY-4.0',
  'CC0-1.0',
  'HPND',
  'ISC',
  'MIT',
  'MIT-0',
  'MIT-CMU',
  'MPL-2.0',
  'PSF-2.0',
  'Python-2.0',
  'Unlicense',
  'WTFPL',
  'ZPL-2.1',
]);

/** Names of the Python world for the same licences. */
const NAMES: Readonly<Record<string, string>> = {
  'Apache License 2.0': 'Apache-2.0',
  'Apache License, Version 2.0': 'Apache-2.0',
  'Apache Software License': 'Apache-2.0',
  'Apache 2.0': 'Apache-2.0',
  BSD: 'BSD-3-Clause',
  'BSD License': 'BSD-3-Clause',
  'BSD 3-Clause License': 'BSD-3-Clause',
  'ISC License (ISCL)': 'ISC',
  'MIT License': 'MIT',
  'Mozilla Public License 2.0 (MPL 2.0)': 'MPL-2.0',
  'Python Software Foundation License': 'PSF-2.0',
};

/**
 * Judges an SPDX expression or a licence name.
 * @returns true when it can be used under allowed licences: each side of AND, one side of OR
 */
export function isAllowed(expression: string): boolean {
  const text = expression.trim();
  if (NAMES[text] !== undefined) return true;
  const flat = text.replace(/\(([^()]*)\)/g, (_group, inner: string) => (isAllowed(inner) ? 'MIT' : 'refused'));
  if (flat !== text) return isAllowed(flat);
  if (/ OR /i.test(text)) return text.split(/ OR /i).some(isAllowed);
  if (/ AND /i.test(text)) return text.split(/ AND /i).every(isAllowed);
  return ALLOWED.has(text.replace(/ WITH .*$/, ''));
}
