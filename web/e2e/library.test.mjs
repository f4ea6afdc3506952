import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ready, startGame } from './support/play.mjs';
import { suite } from './support/suite.mjs';

const world = suite();

test('a game is deleted with the keyboard, after a second question', async () => {
  const page = await world.page();
  await startGame(page, 'othello', {});
  await startGame(page, 'tic-tac-toe', {});
  const board = page.url();
  const other = await page.context().newPage();
  await other.goto(board);
  await ready(other);

  await page.goto('/library');
  const rows = page.locator('main li');
  await rows.nth(1).waitFor();
  const bin = page.getByRole('button', { name: /^Delete Tic-tac-toe/ });
  await bin.focus();
  await page.keyboard.press('Enter');
  const keep = page.getByRole('button', { name: 'Keep it' });
  assert.ok(await keep.evaluate((node) => node === document.activeElement), 'the safe answer has the focus');
  await page.keyboard.press('Escape');
  assert.ok(await bin.evaluate((node) => node === document.activeElement), 'and the focus comes back');
  assert.equal(await rows.count(), 2);

  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await rows.nth(1).waitFor({ state: 'detached' });
  assert.equal(await rows.count(), 1);
  await page.waitForFunction(() => /Othello/.test(document.activeElement?.textContent ?? ''));
  await page.getByText('This game was deleted.').first().waitFor({ state: 'attached' });

  await other.getByText('This game was deleted.').first().waitFor();
  await page.goto(board);
  await page.getByText('There is no such game.').first().waitFor();
  await page.context().close();
});

test('whoever did not make a game cannot delete it', async () => {
  const [ana, budi] = [await world.page(), await world.page({ locale: 'id-ID' })];
  await startGame(ana, 'adjacency', {});
  await budi.goto('/library');
  await budi.locator('main li').first().waitFor();
  assert.equal(await budi.getByRole('button', { name: /^Hapus/ }).count(), 0);
  await ana.goto('/library');
  await ana.getByRole('button', { name: /^Delete/ }).first().waitFor();
  for (const page of [ana, budi]) {
    assert.deepEqual(page.troubles, []);
    await page.context().close();
  }
});
