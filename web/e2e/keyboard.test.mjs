import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tabTo } from './support/keys.mjs';
import { isOver, plyOf, ready, startGame } from './support/play.mjs';
import { suite } from './support/suite.mjs';

const world = suite();

const onBoard = () => document.activeElement?.getAttribute('role') === 'gridcell';
const focusedMove = (page) => page.evaluate(() => document.activeElement?.getAttribute('data-move'));
const waitForPly = (page, ply) =>
  page.waitForFunction((least) => Number(document.querySelector('.play')?.getAttribute('data-ply')) >= least, ply);

test('a whole game with the keyboard alone, from the start page to playing again', async () => {
  const page = await world.page();
  await page.goto('/');
  await page.getByRole('button', { name: 'Play Tic-tac-toe' }).first().waitFor();
  await tabTo(page, () => document.activeElement?.textContent?.trim() === 'Play' && document.activeElement.tagName === 'BUTTON');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/game\//);
  await ready(page);
  await tabTo(page, onBoard);
  assert.equal(await focusedMove(page), 'b2', 'the cursor starts in the middle');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowUp');
  assert.equal(await focusedMove(page), 'a1');
  await page.keyboard.press('Enter');
  await waitForPly(page, 2);

  // The other moves are typed: the first letter opens the move box.
  for (let turn = 0; turn < 5; turn += 1) {
    await ready(page);
    if (await isOver(page)) break;
    const ply = await plyOf(page);
    const free = await page.locator('[role="gridcell"].playable').first().getAttribute('data-move');
    if (!(await page.evaluate(onBoard))) await tabTo(page, onBoard);
    await page.keyboard.type(free ?? '');
    await page.keyboard.press('Enter');
    await waitForPly(page, ply + 1);
  }
  assert.equal(await isOver(page), true);
  await tabTo(page, () => document.activeElement?.tagName === 'BUTTON' && document.activeElement.textContent.includes('Play again'));
  const finished = page.url();
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.href !== finished);
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test('one tab stop for the board; arrows reach every line of Dots and Boxes; ? shows the shortcuts', async () => {
  const page = await world.page();
  await startGame(page, 'dots-and-boxes');
  await ready(page);
  assert.equal(await page.locator('[role="gridcell"][tabindex="0"]').count(), 1);
  await tabTo(page, onBoard);
  await page.keyboard.press('Control+Home');
  const seen = new Set([await focusedMove(page)]);
  const rows = await page.getByRole('row').count();
  for (let row = 0; row < rows; row += 1) {
    for (let step = 0; step < 8; step += 1) {
      seen.add(await focusedMove(page));
      await page.keyboard.press('ArrowRight');
    }
    await page.keyboard.press('Home');
    seen.add(await focusedMove(page));
    await page.keyboard.press('ArrowDown');
  }
  assert.equal(seen.size, 24, '3×3 boxes have 24 lines');
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await page.getByRole('dialog').count(), 0);
  assert.equal(await page.evaluate(onBoard), true, 'the focus is back on the board');
  await page.context().close();
});

test('a move that is not possible says so and the game goes on; moves are spoken in one polite region', async () => {
  const page = await world.page();
  await startGame(page, 'othello');
  await ready(page);
  assert.equal(await page.locator('[aria-live="polite"]').count(), 1);
  await page.getByLabel('Type a move').fill('a1');
  await page.keyboard.press('Enter');
  await page.locator('.line .problem').waitFor();
  assert.match(await page.getByRole('status').innerText(), /a1/);
  await page.getByLabel('Type a move').fill('F5');
  await page.keyboard.press('Enter');
  await waitForPly(page, 2);
  await page.waitForFunction(() => /played/.test(document.querySelector('[role="status"]')?.textContent ?? ''));
  await page.context().close();
});
