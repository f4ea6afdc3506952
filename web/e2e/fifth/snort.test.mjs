/**
 * The program built with the feature `fifth-game` has a game that the page
 * has never heard of: it is on the home screen, can be played with mouse and
 * keyboard, and its moves are spoken, in both languages.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessible } from '../support/axe.mjs';
import { isOver, plyOf, playToTheEnd, ready, startGame } from '../support/play.mjs';
import { suite } from '../support/suite.mjs';

const world = suite();

test('a fifth game is on the home screen and is played to its end with the mouse', async () => {
  const page = await world.page();
  await page.goto('/');
  await page.getByRole('heading', { name: 'Snort' }).waitFor();
  await startGame(page, 'snort');
  await playToTheEnd(page);
  assert.equal(await isOver(page), true);
  await assertAccessible(page, 'snort');
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test('it has keyboard play and announcements, in Indonesian too', async () => {
  const page = await world.page({ locale: 'id-ID' });
  await startGame(page, 'snort');
  await ready(page);
  await page.locator('[role="gridcell"][tabindex="0"]').focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => Number(document.querySelector('.play')?.getAttribute('data-ply')) >= 2);
  assert.ok((await plyOf(page)) >= 2, 'the bot has answered');
  const spoken = await page.locator('[aria-live="polite"]').first().textContent();
  assert.match(spoken ?? '', /[a-d][1-4]/, 'the last move is announced');
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test('it can be set up by clicking and analysed, without a word of its own on the page', async () => {
  const page = await world.page();
  await page.goto('/analyse?game=snort&edit=on');
  const cell = (name) => page.locator(`[data-shape="cell-${name}"]`);
  await cell('a1').click();
  await page.waitForURL(/position=X/);
  await cell('b1').click();
  await page.waitForURL(/position=XX/);
  await cell('b1').click();
  await page.waitForURL(/position=X\.\./);
  await page.getByRole('button', { name: 'Done', exact: true }).click();
  await page.getByRole('button', { name: 'Analyse', exact: true }).click();
  await page.locator('.plate').first().waitFor({ timeout: 30_000 });
  await page.getByRole('tab', { name: 'Export' }).click();
  assert.deepEqual(await page.getByLabel('Game as').locator('option').count(), 2);
  await assertAccessible(page, 'snort set up');
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});
