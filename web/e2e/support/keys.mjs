/** Getting about without a mouse. */

import assert from 'node:assert/strict';

/** Presses Tab until what has the focus fits. */
export async function tabTo(page, fits, longest = 80) {
  for (let press = 0; press < longest; press += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(fits)) return;
  }
  assert.fail('the keyboard does not get there');
}
