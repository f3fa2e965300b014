// SPDX-License-Identifier: Apache-2.0
import axe from 'axe-core';
import type { ChatPage } from './browser-page.js';

/**
 * Checks what a page shows with every rule of axe-core, best practices included.
 * @returns the broken rules with the elements that break them; empty when all is well
 */
export async function findBarriers(chat: ChatPage): Promise<string[]> {
  await chat.page.evaluate(axe.source);
  const { violations } = await chat.page.evaluate(() => {
    const { run } = Reflect.get(globalThis, 'axe') as typeof axe;
    return run(document, { resultTypes: ['violations'] });
  });
  return violations.flatMap((rule) =>
    rule.nodes.map((node) => `${rule.id}: ${node.html} (${node.failureSummary ?? ''})`),
  );
}
