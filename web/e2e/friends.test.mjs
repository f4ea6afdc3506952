import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOver, moveByMouse, plyOf, ready, startGame } from './support/play.mjs';
import { suite } from './support/suite.mjs';

const world = suite();

test('two browsers against each other by a link, to the end and again', async () => {
  const ana = await world.page();
  const budi = await world.page({ locale: 'id-ID' });
  await startGame(ana, 'tic-tac-toe', { first: 'person Ana', second: 'link' });
  await ana.getByText('waiting for a friend').waitFor();
  const link = await ana.getByLabel('Send this link to your friend:').inputValue();

  await budi.goto(link);
  await budi.getByLabel('Nama').fill('Budi');
  await budi.getByRole('button', { name: 'Ikut bermain' }).click();
  await budi.waitForURL(/\/game\//);
  await ana.getByText('Budi').first().waitFor();
  assert.equal(await budi.locator('.playable').count(), 0, 'it is not Budi’s turn');

  for (let turn = 0; turn < 9; turn += 1) {
    const mover = turn % 2 === 0 ? ana : budi;
    const other = turn % 2 === 0 ? budi : ana;
    await ready(mover);
    if (await isOver(mover)) break;
    await moveByMouse(mover, () => 0);
    await other.locator(`.play[data-ply="${turn + 1}"]`).waitFor();
  }
  for (const page of [ana, budi]) await page.locator('.play[data-over="true"]').waitFor();
  assert.equal(await plyOf(ana), await plyOf(budi));

  await ana.getByRole('button', { name: 'Play again, sides swapped' }).click();
  await budi.getByRole('link', { name: 'Teman Anda ingin main lagi' }).click();
  await budi.getByRole('button', { name: 'Ikut bermain' }).click();
  await ready(budi);
  assert.equal(await plyOf(budi), 0, 'Budi moves first now');
  assert.deepEqual([...ana.troubles, ...budi.troubles], []);
  await ana.context().close();
  await budi.context().close();
});

test('a third browser watches and cannot move; undo between people asks first', async () => {
  const [ana, budi, citra] = [await world.page(), await world.page(), await world.page()];
  await startGame(ana, 'adjacency', { second: 'link' });
  const link = await ana.getByLabel('Send this link to your friend:').inputValue();
  await budi.goto(link);
  await budi.getByRole('button', { name: 'Join the game' }).click();
  await ready(ana);
  await moveByMouse(ana);
  await citra.goto(new URL(ana.url()).pathname);
  await citra.getByText('You are watching this game.').waitFor();
  assert.equal(await citra.locator('.playable').count(), 0);

  await ana.getByRole('button', { name: 'Undo' }).click();
  await budi.getByText('asks to take back').waitFor();
  assert.equal(await plyOf(budi), 1, 'nothing changes without consent');
  await budi.getByRole('button', { name: 'Allow' }).click();
  for (const page of [ana, budi, citra]) await page.locator('.play[data-ply="0"]').waitFor();
  for (const page of [ana, budi, citra]) {
    assert.deepEqual(page.troubles, []);
    await page.context().close();
  }
});
