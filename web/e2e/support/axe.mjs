/** axe on the page as it is. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export async function assertAccessible(page, name) {
  await page.evaluate(source);
  const violations = await page.evaluate(async () => {
    const { violations } = await globalThis.axe.run(document, { resultTypes: ['violations'] });
    return violations.map(({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map((node) => node.html).slice(0, 3).join('\n  ')}`);
  });
  assert.deepEqual(violations, [], name);
}
