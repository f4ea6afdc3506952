import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessible } from './support/axe.mjs';
import { keep } from './support/pictures.mjs';
import { GAMES, isOver, moveByMouse, playToTheEnd, plyOf, ready, startGame } from './support/play.mjs';
import { suite } from './support/suite.mjs';

const world = suite();

for (const game of GAMES) {
  test(`${game}: a whole game against a bot with the mouse, and what comes after it`, async () => {
    const page = await world.page();
    await startGame(page, game);
    await ready(page);
    await playToTheEnd(page);
    await page.getByRole('tab', { name: 'Result', selected: true }).waitFor();
    const result = await page.getByRole('tabpanel').getByRole('heading', { level: 2 }).textContent();
    assert.match(result ?? '', /wins|draw/i);
    await page.getByText(/gave away|gave anything away/).first().waitFor({ timeout: 60_000 });
    for (const mistake of await page.getByText(/gave away/).allInnerTexts()) {
      assert.match(mistake, /^Move \d+, .+, gave away \d+ \((exact|estimate( at depth \d+)?)\); .+ was better\.$/);
    }
    await page.getByText('Save or copy').click();
    await page.getByLabel('Game as').waitFor();
    await keep(page, `after-${game}`);
    await assertAccessible(page, game);

    const first = page.url();
    await page.getByRole('button', { name: 'Play again, sides swapped' }).click();
    await page.waitForURL((url) => url.href !== first);
    await ready(page);
    assert.equal(await plyOf(page), 1, 'the bot has the first seat now and has moved');
    assert.deepEqual(page.troubles, []);
    await page.context().close();
  });
}

test('undo takes the bot’s reply back too, redo brings both again, a hint rings its move and shows one set of values', async () => {
  const page = await world.page();
  await startGame(page, 'othello');
  await ready(page);
  await moveByMouse(page);
  await page.locator('.play[data-ply="2"]').waitFor();
  await ready(page);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.locator('.play[data-ply="0"]').waitFor();
  await page.getByRole('button', { name: 'Redo' }).click();
  await page.locator('.play[data-ply="2"]').waitFor();
  await ready(page);
  await page.getByRole('button', { name: 'Hint' }).click();
  await page.locator('.plate').first().waitFor({ timeout: 30_000 });
  assert.ok((await page.locator('.hint').count()) >= 1, 'the best move has a ring');
  await page.getByRole('tab', { name: 'Values' }).click();
  assert.equal(await page.getByRole('tabpanel').locator('tbody tr').count(), await page.locator('.plate').count());
  const best = await page.getByRole('tabpanel').locator('tbody tr').first().locator('td').nth(1).innerText();
  assert.equal(Number(await page.locator('.bar').getAttribute('data-value')), Number(best.replace('−', '-')), 'Black is to move');
  assert.match(await page.getByRole('meter', { name: 'Evaluation' }).getAttribute('aria-valuetext'), /(Even|ahead by \d+), (exact|estimate)/);
  await keep(page, 'play-hint');
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test('a reload in the middle, Back and a crash of the server all give the same picture', async () => {
  const page = await world.page();
  await startGame(page, 'dots-and-boxes');
  for (let move = 0; move < 3; move += 1) {
    await ready(page);
    await moveByMouse(page);
  }
  await ready(page);
  const board = () =>
    page.locator('[role="gridcell"]').evaluateAll((places) => places.map((place) => place.getAttribute('aria-label')));
  const moves = () => page.getByRole('tabpanel').innerText();
  const [shown, listed] = [await board(), await moves()];

  await page.reload();
  await ready(page);
  assert.deepEqual([await board(), await moves()], [shown, listed]);
  await page.getByRole('link', { name: 'Library' }).click();
  await page.waitForURL(/library/);
  await page.goBack();
  await ready(page);
  assert.deepEqual([await board(), await moves()], [shown, listed]);

  await world.server.crashAndRestart();
  await page.locator('.playable').first().waitFor({ timeout: 20_000 });
  assert.deepEqual([await board(), await moves()], [shown, listed]);
  await moveByMouse(page);
  await ready(page);
  assert.notDeepEqual(await board(), shown);
  assert.equal(await isOver(page), false);
  await page.context().close();
});

test('the end of a game by resigning asks twice and says who won', async () => {
  const page = await world.page();
  await startGame(page, 'tic-tac-toe');
  await ready(page);
  await page.getByRole('button', { name: 'Resign', exact: true }).click();
  await page.getByRole('button', { name: 'Resign: sure?' }).click();
  await page.getByRole('heading', { name: /resigned/ }).waitFor();
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test('bot against bot: pause, resume, speed', async () => {
  const page = await world.page();
  await startGame(page, 'othello', { first: 'bot random:seed=3' });
  await page.getByRole('tab', { name: 'Bot' }).click();
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await page.getByRole('button', { name: 'Resume' }).waitFor();
  const ply = await plyOf(page);
  await page.waitForTimeout(1200);
  assert.ok((await plyOf(page)) <= ply + 1, 'a paused game stands still');
  await page.getByLabel(/Pause between moves/).fill('0');
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.locator('.play[data-over="true"]').waitFor({ timeout: 60_000 });
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});
