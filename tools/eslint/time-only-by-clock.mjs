// SPDX-License-Identifier: Apache-2.0

const TIMERS = new Set(['setTimeout', 'setInterval']);

/** @returns whether a name is the global one, not a local or an imported one */
function isGlobal(context, identifier) {
  const scope = context.sourceCode.getScope(identifier);
  const reference = scope.references.find((candidate) => candidate.identifier === identifier);
  return !reference?.resolved || reference.resolved.defs.length === 0;
}

/** Time is read and waited for through `Clock`, so that tests move it by hand and every job can be cancelled [QLT-5]. */
export const timeOnlyByClock = {
  meta: { type: 'problem', schema: [], messages: { clock: 'Time goes through Clock of src/common/clock.ts [QLT-5].' } },
  create(context) {
    const report = (node) => context.report({ node, messageId: 'clock' });
    return {
      CallExpression({ callee }) {
        if (callee.type === 'Identifier' && TIMERS.has(callee.name) && isGlobal(context, callee)) report(callee);
        if (callee.type !== 'MemberExpression' || callee.property.name !== 'now') return;
        if (['Date', 'performance'].includes(callee.object.name)) report(callee);
      },
      NewExpression(node) {
        if (node.callee.name === 'Date' && node.arguments.length === 0) report(node);
      },
      ImportDeclaration(node) {
        if (/^(node:)?timers(\/promises)?$/.test(node.source.value)) report(node);
      },
    };
  },
};
