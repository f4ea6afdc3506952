import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessible } from './support/axe.mjs';
import { keep } from './support/pictures.mjs';
import { suite } from './support/suite.mjs';

const world = suite();

test('a tournament is set up, watched, stopped, taken up again and reported', async () => {
  const page = await world.page();
  await page.goto('/arena');
  await page.getByRole('heading', { level: 1, name: 'Arena' }).waitFor();
  await assertAccessible(page, 'arena');
  await page.getByText('Othello', { exact: true }).click();
  await page.getByLabel('Game with options').fill('othello:size=6');
  await page.getByRole('button', { name: 'Add a bot' }).click();
  await page.getByRole('textbox', { name: 'Bot 3' }).or(page.getByRole('combobox', { name: 'Bot 3' })).fill('mcts:simulations=600');
  await page.getByLabel('Games of each meeting').fill('40');
  await page.getByRole('button', { name: 'Begin' }).click();
  await page.waitForURL(/\/arena\/[0-9a-f]{16}$/);
  await page.getByRole('img').first().waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('button', { name: 'Go on' }).waitFor();
  const played = Number(await page.locator('[data-played]').getAttribute('data-played'));
  assert.ok(played < 120, `stopped in the middle, after ${played}`);
  assert.doesNotMatch(await page.locator('table').innerText(), /±\s*\d{4}/, 'no rating of which nothing can be said');
  await assertAccessible(page, 'a tournament');
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.locator('[data-played="120"]').waitFor({ timeout: 120_000 });
  assert.equal(await page.locator('tbody tr').count(), 3);
  await keep(page, 'arena');
  const [report] = await Promise.all([page.context().waitForEvent('page'), page.getByRole('link', { name: 'Open the report' }).click()]);
  await report.getByRole('heading', { name: 'Cross table' }).waitFor();
  await report.locator('#list div').nth(5).click();
  await report.getByRole('button', { name: 'Forward' }).click();
  assert.match(await report.locator('#said').innerText(), /move 1 of/);
  await report.keyboard.press('End');
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test('a mistake is named in the chosen language', async () => {
  const page = await world.page();
  await page.goto('/arena');
  await page.getByLabel('Game with options').fill('chess');
  await page.getByRole('button', { name: 'Begin' }).click();
  assert.match(await page.getByRole('alert').innerText(), /chess/);
  await page.context().close();
});
