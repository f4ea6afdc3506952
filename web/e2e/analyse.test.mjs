import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { assertAccessible } from './support/axe.mjs';
import { keep } from './support/pictures.mjs';
import { suite } from './support/suite.mjs';

const world = suite();

test('analyse: values on the board and in the list, a graph, losses, and a link that restores the view', async () => {
  const page = await world.page();
  await page.goto('/analyse?game=tic-tac-toe&moves=a1+b1+c3&time=500ms');
  await page.getByRole('button', { name: 'Analyse', exact: true }).click();
  await page.locator('.plate').first().waitFor({ timeout: 30_000 });
  const values = await page.getByRole('tabpanel').locator('tbody tr').count();
  assert.equal(values, await page.locator('.plate').count());
  // One evaluation feeds bar, number, list and board.
  const list = await page.getByRole('tabpanel').locator('tbody tr').first().locator('td').nth(1).innerText();
  const number = await page.getByRole('tabpanel').locator('strong').first().innerText();
  const bar = Number(await page.locator('.bar').getAttribute('data-value'));
  const shown = (text) => Number(text.replace('−', '-'));
  assert.equal(shown(list), shown(number));
  assert.equal(bar, 0 - shown(number), 'O is to move, and the bar is from X’s chair');
  assert.match(await page.getByRole('meter', { name: 'Evaluation' }).getAttribute('aria-valuetext'), bar === 0 ? /Even/ : /ahead by 1, exact/);
  await page.getByRole('button', { name: 'Whole game' }).click();
  await page.waitForFunction(() => (document.querySelector('.graph .line')?.getAttribute('d') ?? '').split('L').length >= 4, null, { timeout: 60_000 });
  await page.getByRole('tab', { name: 'Moves' }).click();
  await page.getByRole('slider', { name: /Value over the game/ }).focus();
  await page.keyboard.press('ArrowLeft');
  await page.waitForURL(/ply=2/);
  assert.match((await page.locator('[aria-current="step"]').innerText()).replace(/\s+/g, ' '), /b1/);
  await keep(page, 'analyse');
  await assertAccessible(page, 'analyse');

  const again = await world.page();
  await again.goto(new URL(page.url()).pathname + new URL(page.url()).search);
  await again.locator('.plate').first().waitFor({ timeout: 30_000 });
  assert.equal(await again.locator('.ply').first().innerText(), await page.locator('.ply').first().innerText());
  assert.deepEqual([...page.troubles, ...again.troubles], []);
  await page.context().close();
  await again.context().close();
});

test('analyse: chains, threats and openings are listed, and shown on the board while pointed at or once pressed', async () => {
  const page = await world.page();
  await page.goto('/analyse?game=dots-and-boxes&moves=h1%2C0+h1%2C1+h1%2C2+h2%2C0+h2%2C1+h2%2C2&time=500ms&analysis=on');
  const chain = page.getByRole('button', { name: /Long chain of 3 boxes/ }).first();
  await chain.waitFor({ timeout: 30_000 });
  await page.getByText(/Long-chain rule: 1 long chain now/).waitFor();
  const marks = page.locator('.marks > *');
  assert.equal(await marks.count(), 0);
  await chain.focus();
  assert.equal(await marks.count(), 3, 'the boxes of the chain');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Analyse', exact: true }).or(page.getByRole('button', { name: 'Stop', exact: true })).first().focus();
  assert.equal(await marks.count(), 3, 'kept after it was pressed');
  assert.equal(await chain.getAttribute('aria-pressed'), 'true');
  await keep(page, 'insights');
  await assertAccessible(page, 'insights');
  await page.goto('/analyse?game=othello&moves=c4+c3&time=500ms&analysis=on');
  await page.getByText('Opening: Diagonal Opening').waitFor({ timeout: 30_000 });
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test('import: a record is shown, a wrong one says which move and keeps the text', async () => {
  const page = await world.page();
  await page.goto('/analyse?game=othello');
  const box = page.getByLabel('Paste a position, a list of moves or a saved game');
  await box.fill('f5d6c3d3c4');
  await page.getByRole('button', { name: 'Show it' }).click();
  await page.getByText('5 / 5').waitFor();
  await box.fill('f5d6a1');
  await page.getByRole('button', { name: 'Show it' }).click();
  await page.locator('.setup .problem').first().waitFor();
  assert.match(await page.locator('.setup').innerText(), /a1/);
  assert.equal(await box.inputValue(), 'f5d6a1');
  const position = '---------------------------OX------XO--------------------------- X';
  await box.fill(position);
  await page.getByRole('button', { name: 'Show it' }).click();
  await page.getByText('0 / 0').waitFor();
  await page.context().close();
});

test('export: pictures in SVG and PNG', async () => {
  const page = await world.page();
  await page.goto('/analyse?game=dots-and-boxes&moves=h0,0+v0,0');
  await page.getByRole('tab', { name: 'Export' }).click();
  assert.match(await page.getByLabel('Position', { exact: true }).inputValue(), /3x3/);
  const [svg] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Picture (SVG)' }).click()]);
  assert.match(await readFile(await svg.path(), 'utf8'), /^<svg/);
  const [png] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Picture (PNG)' }).click()]);
  const bytes = await readFile(await png.path());
  assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
  assert.ok(bytes.length > 1000);
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test('a finished game leads to its analysis with all its moves, and can be shared', async () => {
  const page = await world.page();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/new/tic-tac-toe?first=bot+random:seed=1&second=bot+random:seed=2');
  await page.getByRole('button', { name: 'Start the game' }).click();
  await page.locator('.play[data-over="true"]').waitFor({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), page.url());
  const ply = await page.locator('.play').getAttribute('data-ply');
  await page.getByRole('tabpanel').getByRole('link', { name: 'Analyse' }).click();
  await page.getByText(`${ply} / ${ply}`).waitFor();
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});
