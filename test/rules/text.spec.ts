// SPDX-License-Identifier: Apache-2.0
import { findLines, repositoryFiles } from './support/source-files.js';
import { TEXT_RULES } from './support/text-rules.js';

describe.each(TEXT_RULES)('$title', ({ files, breaks, broken, sound }) => {
  it.each(broken)('and %s would be caught', (line) => {
    expect(breaks(line)).toBe(true);
  });

  it.each(sound)('and %s would not', (line) => {
    expect(breaks(line)).toBe(false);
  });

  it('in the whole repository', () => {
    expect(findLines(repositoryFiles(files), breaks)).toEqual([]);
  });
});
