// SPDX-License-Identifier: Apache-2.0

/** Functions of node:fs that open, copy, move or remove a file. */
const TOUCHES =
  /^(open|readFile|writeFile|appendFile|copyFile|cp|rename|rm|unlink|truncate|createReadStream|createWriteStream|openAsBlob)(Sync)?$/;

/** Words in an argument that say that the file is a lock or the live ledger. */
const WORDS = new Set(['ledger', 'lock', 'locks', 'sqlite', 'sqlite3', 'wal', 'shm']);

/** @returns the words of a text, camel case and snake case taken apart */
function wordsOf(text) {
  return text.match(/[A-Z]?[a-z]+\d*|[A-Z]+(?![a-z])/g)?.map((word) => word.toLowerCase()) ?? [];
}

/**
 * Lock files and the live ledger are only ever stat'ed outside the store: any open and close of such a file in the process that holds it
 * drops the lock (POSIX), K6.
 */
export const ledgerOnlyStated = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      touch:
        "Lock files and the live ledger are only stat'ed outside src/modules/inbox/store: closing one drops its lock (K6).",
    },
  },
  create(context) {
    return {
      CallExpression(node) {
        const callee = node.callee.type === 'MemberExpression' ? node.callee.property : node.callee;
        if (callee.type !== 'Identifier' || !TOUCHES.test(callee.name)) return;
        const words = node.arguments.flatMap((argument) => wordsOf(context.sourceCode.getText(argument)));
        if (words.some((word) => WORDS.has(word))) context.report({ node, messageId: 'touch' });
      },
    };
  },
};
