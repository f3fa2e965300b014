// SPDX-License-Identifier: Apache-2.0

const DIRECTIVE = /^\s*eslint-(disable|enable)/;
const REASON = /\s--\s\S.{9,}/s;
const BARE = /^\s*eslint-disable(-next-line|-line)?\s*(--|$)/;

/** A rule is only switched off by name and with its reason on the same line. */
export const reasonedDisable = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      reason: 'A rule is switched off by its name and with a reason: "eslint-disable-next-line RULE -- why".',
    },
  },
  create(context) {
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments()) {
          if (!DIRECTIVE.test(comment.value)) continue;
          if (BARE.test(comment.value) || !REASON.test(comment.value))
            context.report({ loc: comment.loc, messageId: 'reason' });
        }
      },
    };
  },
};
