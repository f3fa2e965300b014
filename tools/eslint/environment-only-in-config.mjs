// SPDX-License-Identifier: Apache-2.0

/** @returns the name of a property however it is written, or undefined when it is computed */
function nameOf(property) {
  return property.type === 'Identifier'
    ? property.name
    : property.type === 'Literal'
      ? String(property.value)
      : undefined;
}

/** @returns whether an expression is the process object: `process`, `globalThis.process` */
function isProcess(node) {
  if (node?.type === 'Identifier') return node.name === 'process';
  return node?.type === 'MemberExpression' && nameOf(node.property) === 'process';
}

/** Only src/config reads the environment [SEC-3]. */
export const environmentOnlyInConfig = {
  meta: { type: 'problem', schema: [], messages: { read: 'Only src/config reads the environment [SEC-3].' } },
  create(context) {
    const report = (node) => context.report({ node, messageId: 'read' });
    return {
      MemberExpression(node) {
        if (isProcess(node.object) && nameOf(node.property) === 'env') report(node);
      },
      ImportSpecifier(node) {
        if (/^(node:)?process$/.test(node.parent.source.value) && nameOf(node.imported) === 'env') report(node);
      },
      VariableDeclarator(node) {
        if (node.id.type !== 'ObjectPattern' || !isProcess(node.init)) return;
        if (node.id.properties.some((property) => property.type === 'RestElement' || nameOf(property.key) === 'env'))
          report(node);
      },
    };
  },
};
