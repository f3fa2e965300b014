// SPDX-License-Identifier: Apache-2.0

const HEADER = '// SPDX-License-Identifier: Apache-2.0';

/** The first line of a source file is its licence; only an interpreter line may stand above it [QLT-2]. */
export const spdxHeader = {
  meta: { type: 'problem', schema: [], messages: { missing: `The first line is not "${HEADER}" [QLT-2].` } },
  create(context) {
    return {
      Program(node) {
        const [first, second] = context.sourceCode.lines;
        const line = first?.startsWith('#!') ? second : first;
        if (line !== HEADER) context.report({ node, loc: { line: 1, column: 0 }, messageId: 'missing' });
      },
    };
  },
};
