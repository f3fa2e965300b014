// SPDX-License-Identifier: Apache-2.0

const PACKAGES = /^(typeorm|better-sqlite3|@nestjs\/typeorm|node:sqlite|sqlite)(\/|$)/;
const CALLS = new Set(['transaction', 'getRepository', 'getTreeRepository', 'createQueryBuilder', 'createQueryRunner']);

/** Only src/modules/inbox/store touches the database: all writes go through one actor, or commits vanish [QLT-4], K1. */
export const databaseOnlyInStore = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { touch: 'Only src/modules/inbox/store touches the database [QLT-4].' },
  },
  create(context) {
    const report = (node) => context.report({ node, messageId: 'touch' });
    const checkSource = (node) => {
      if (typeof node.source?.value === 'string' && PACKAGES.test(node.source.value)) report(node);
    };
    return {
      ImportDeclaration: checkSource,
      ImportExpression: checkSource,
      ExportNamedDeclaration: checkSource,
      ExportAllDeclaration: checkSource,
      CallExpression(node) {
        if (node.callee.type === 'MemberExpression' && CALLS.has(node.callee.property.name)) report(node);
      },
    };
  },
};
