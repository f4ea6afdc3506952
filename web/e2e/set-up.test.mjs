import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { assertAccessible } from './support/axe.mjs';
import { suite } from './support/suite.mjs';

const world = suite();

const place = (page, id) => page.locator(`[data-shape="${id}"]`);
const labelOf = (page, id) => place(page, id).getAttribute('aria-label');

/** Presses a place and waits until it says something else. */
async function press(page, id) {
  const before = await labelOf(page, id);
  await place(page, id).click();
  await page.waitForFunction(
    ([shape, label]) => document.querySelector(`[data-shape="${shape}"]`)?.getAttribute('aria-label') !== label,
    [id, before],
  );
  return labelOf(page, id);
}

test('a position is set up by clicking, then analysed; Back and the link give it again', async () => {
  const page = await world.page();
  await page.goto('/analyse?game=tic-tac-toe&moves=a1+b2');
  await page.getByRole('grid').waitFor();
  await page.getByRole('button', { name: 'Set up by clicking' }).click();
  assert.match(await press(page, 'cell-c3'), /X/);
  assert.match(await press(page, 'cell-c3'), /O/);
  assert.match(await press(page, 'cell-c3'), /empty/);
  await press(page, 'cell-b1');
  await assertAccessible(page, 'set-up');
  await page.getByText('O', { exact: true }).click();
  await page.waitForURL(/XX\.|XX%2F|position=XX/);
  await page.waitForURL(/\+O(&|$)|%20O(&|$)/);
  await page.getByRole('button', { name: 'Done', exact: true }).click();
  await page.getByRole('button', { name: 'Analyse', exact: true }).click();
  await page.locator('.plate').first().waitFor({ timeout: 30_000 });
  assert.equal(await page.locator('.plate').count(), 6);
  const again = await world.page();
  await again.goto(page.url());
  await again.locator('.plate').first().waitFor({ timeout: 30_000 });
  assert.equal(await again.locator('.plate').count(), 6);
  await page.goBack();
  await page.getByText('2 / 2').waitFor();
  assert.deepEqual([...page.troubles, ...again.troubles], []);
  await page.context().close();
  await again.context().close();
});

test('lines and boxes are set up too, the board can be emptied, and what cannot be says why', async () => {
  const page = await world.page();
  await page.goto('/analyse?game=dots-and-boxes:rows=2,cols=2&edit=on');
  await page.getByRole('grid').waitFor();
  for (const line of ['line-h0,0', 'line-h1,0', 'line-v0,0', 'line-v0,1']) assert.match(await press(page, line), /drawn/);
  assert.match(await labelOf(page, 'box-0,0'), /Player 1/);
  assert.match(await press(page, 'box-0,0'), /Player 2/);
  await place(page, 'box-1,1').click();
  await page.getByText(/this box is open/).waitFor();
  await place(page, 'line-h0,0').focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => /not drawn/.test(document.querySelector('[data-shape="line-h0,0"]')?.getAttribute('aria-label') ?? ''));
  await page.getByRole('button', { name: 'Empty the board' }).click();
  await page.waitForURL(/000000/);
  await page.context().close();
});

const GGF =
  '(;GM[Othello]PC[GGS/os]DT[2002.11.01]PB[ant]PW[bee]RB[2000]RW[2001]TI[05:00//02:00]TY[8]RE[+2.000]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]B[F5//0.01]W[d6/1.20/3.5]B[C3];)';
const OBF = '--XXXXX--OOOXX-O-OOXXOXX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; A1:-12; H1:+38;';

test('pasted: transcripts, numbered moves, GGF, OBF lines, our own record', async () => {
  const page = await world.page();
  const box = page.getByLabel('Paste a position, a list of moves or a saved game');
  for (const [text, shown] of [
    ['F5D6C3D3C4', '5 / 5'],
    ['1. f5 2. d6 3. c3', '3 / 3'],
    ['f5 d6\nc3', '3 / 3'],
    [GGF, '3 / 3'],
    [`1 ${GGF}`, '3 / 3'],
    [OBF, '0 / 0'],
    ['game: othello:size=6\nstart: \nmoves: c2 d2\n', '2 / 2'],
  ]) {
    await page.goto('/analyse?game=othello');
    await box.fill(text);
    await page.getByRole('button', { name: 'Show it' }).click();
    await page.locator('.steps').getByText(shown, { exact: true }).waitFor();
    assert.equal(await page.locator('.setup .problem').count(), 0, text);
  }
  await page.goto('/analyse?game=othello');
  await box.fill(OBF);
  await page.getByRole('button', { name: 'Show it' }).click();
  await page.waitForURL(/position=/);
  await page.locator('[data-shape="cell-c1"][aria-label*="black"]').waitFor();
  await page.context().close();
});

test('exports are those that the game has, and each can be pasted again', async () => {
  const page = await world.page();
  for (const [game, moves, expected] of [
    ['othello', 'f5 d6 c3', ['papan', 'text', 'transcript', 'ggf', 'obf']],
    ['tic-tac-toe', 'b2 a1', ['papan', 'text']],
    ['dots-and-boxes', 'h0,0 v0,0', ['papan', 'text']],
    ['adjacency', 'd4 e5', ['papan', 'text']],
  ]) {
    const address = `/analyse?${new URLSearchParams({ game, moves })}`;
    await page.goto(address);
    await page.getByRole('tab', { name: 'Export' }).click();
    const formats = await page.getByLabel('Game as').locator('option').evaluateAll((options) => options.map((option) => option.value));
    assert.deepEqual(formats, expected, game);
    const position = await page.getByLabel('Position', { exact: true }).inputValue();
    for (const format of formats) {
      await page.goto(address);
      await page.getByRole('tab', { name: 'Export' }).click();
      const title = await page.getByLabel('Game as').locator(`option[value="${format}"]`).innerText();
      await page.getByLabel('Game as').selectOption(format);
      const text = page.getByRole('textbox', { name: title });
      await page.waitForFunction((name) => document.querySelector(`textarea[aria-label="${name}"]`)?.value, title);
      const record = await text.inputValue();
      const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Save as a file' }).click()]);
      assert.equal((await readFile(await file.path(), 'utf8')).trimEnd(), record);
      await page.getByLabel('Paste a position, a list of moves or a saved game').fill(record);
      await page.getByRole('button', { name: 'Show it' }).click();
      await page.waitForURL((url) => url.href.includes('position='));
      await page.waitForFunction((wanted) => document.querySelector('input[readonly]')?.value === wanted, position);
    }
  }
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});
