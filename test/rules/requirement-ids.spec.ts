// SPDX-License-Identifier: Apache-2.0
import { PROMISED_IDS } from './requirement-ids.js';
import { repositoryFiles } from './support/source-files.js';

/** Titles stand in `describe` and `it` of TypeScript and in the docstrings of Python tests; an id stands there in brackets, alone or with others. */
function namedIds(): Map<string, string[]> {
  const files = repositoryFiles(
    /\.spec\.tsx?$|^tools\/test\/(lint-part|coverage|leftovers|jest-part)\.ts$|^shim\/tests\/.*\.py$/,
  );
  const named = new Map<string, string[]>();
  for (const { path, text } of files) {
    for (const [, ids = ''] of text.matchAll(/\[([A-Z]{1,3}-\d+(?:[\],[ ]+[A-Z]{1,3}-\d+)*)\]/g)) {
      for (const id of ids.split(/[\],[ ]+/)) named.set(id, [...(named.get(id) ?? []), path]);
    }
  }
  return named;
}

describe('requirement ids', () => {
  const named = namedIds();

  it.each(PROMISED_IDS)('%s is named by a test', (id) => {
    expect(named.get(id) ?? []).not.toEqual([]);
  });

  it('in titles are written so that they are found', () => {
    const known = /^(HST|BPP|INB|SCH|TOK|BIL|RUN|CTX|FUP|CRD|SES|HBT|INS|ADM|SEC|TST|OPS|MIG|HA|PLY|QLT|U|D|F|K)-\d+$/;
    expect([...named].filter(([id]) => !known.test(id)).map(([id, paths]) => `${id} in ${String(paths[0])}`)).toEqual(
      [],
    );
  });
});
