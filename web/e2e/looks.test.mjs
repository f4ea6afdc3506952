import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessible } from './support/axe.mjs';
import { greyscale, keep } from './support/pictures.mjs';
import { GAMES, moveByMouse, ready, startGame } from './support/play.mjs';
import { suite } from './support/suite.mjs';

const world = suite();
const SCREENS = [
  '/',
  '/new',
  '/analyse',
  '/analyse?game=dots-and-boxes&edit=on',
  '/library',
  '/settings',
  '/help',
  '/about',
  '/nowhere',
  '/lab?step=3000',
  '/lab/tree?game=adjacency&bot=alpha-beta:depth=2',
  '/lab/tree?view=compare',
  '/lab/local?game=othello&bot=annealing:steps=300',
  '/lab/genetic',
  '/lab/mcts',
  '/lab/exercises?difficulty=7&seed=2',
  '/lab/experiments',
];

/** Where axe and the width of the window are looked at besides. */
async function assertFits(page, name) {
  await assertAccessible(page, name);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(wide <= 0, `${name} is ${wide} px too wide`);
}

for (const [name, options] of Object.entries({
  'light, English': { locale: 'en-GB', colorScheme: 'light' },
  'dark, Indonesian': { locale: 'id-ID', colorScheme: 'dark' },
  '360 px, Indonesian': { locale: 'id-ID', viewport: { width: 360, height: 740 } },
})) {
  test(`every screen: no axe violations, nothing wider than the window (${name})`, async () => {
    const page = await world.page(options);
    const english = options.locale === 'en-GB';
    for (const path of SCREENS) {
      await page.goto(path);
      await page.locator('main h1').waitFor({ state: 'attached' });
      await page.waitForTimeout(500);
      assert.equal(await page.locator('html').getAttribute('lang'), english ? 'en' : 'id');
      await assertFits(page, `${name} ${path}`);
      const slug = { '/': 'home', '/new': 'new-game' }[path];
      if (slug) await keep(page, `${slug}-${name.replace(/\W+/g, '-').toLowerCase()}`);
    }
    for (const game of GAMES) {
      await startGame(page, game);
      await ready(page);
      await moveByMouse(page);
      await ready(page);
      await page.waitForTimeout(300);
      await assertFits(page, `${name} ${game}`);
      await keep(page, `${game}-${name.replace(/\W+/g, '-').toLowerCase()}`);
    }
    assert.deepEqual(page.troubles, []);
    await page.context().close();
  });
}

for (const options of [
  { locale: 'en-GB', colorScheme: 'light' },
  { locale: 'id-ID', colorScheme: 'dark', viewport: { width: 360, height: 740 } },
]) {
  test(`the invitation, the shortcuts, every setting of a game and of a bot: no axe violations (${options.locale})`, async () => {
    const page = await world.page(options);
    await startGame(page, 'tic-tac-toe', { second: 'link' });
    await page.locator('.invite input').waitFor();
    await assertFits(page, 'waiting for a friend');
    const link = await page.locator('.invite input').inputValue();
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await assertFits(page, 'shortcuts');
    await page.keyboard.press('Escape');
    const friend = await world.page(options);
    await friend.goto(link);
    await friend.locator('form h1').waitFor();
    await assertFits(friend, 'invitation');
    for (const bot of ['engine:level=4', 'engine', 'genetic', 'mcts', 'alpha-beta']) {
      await page.goto(`/new/othello?second=bot+${bot}`);
      await page.locator('.chair').nth(1).waitFor();
      for (const summary of await page.locator('summary').all()) await summary.click();
      await assertFits(page, `new game against ${bot}`);
    }
    assert.deepEqual([...page.troubles, ...friend.troubles], []);
    await page.context().close();
    await friend.context().close();
  });
}

test('an engine’s level is a slider with words, and the game is played at that level', async () => {
  const page = await world.page();
  await page.goto('/new/othello');
  const slider = page.getByLabel(/^Level \d+ of 10/);
  await slider.fill('1');
  await page.getByText('Level 1 of 10: gentle').waitFor();
  await slider.fill('7');
  await page.getByText('Level 7 of 10: very strong').waitFor();
  await page.waitForURL(/level%3D7/);
  await page.reload();
  assert.equal(await slider.inputValue(), '7');
  await page.getByRole('button', { name: 'Start the game' }).click();
  await page.waitForURL(/\/game\//);
  await page.getByText(/Engine 7/).first().waitFor();
  await page.context().close();
});

test('at 360 px the whole board and the buttons under the thumb are in sight', async () => {
  const page = await world.page({ viewport: { width: 360, height: 740 } });
  await startGame(page, 'othello');
  await ready(page);
  const board = await page.getByRole('grid').boundingBox();
  const hint = await page.getByRole('button', { name: 'Hint' }).boundingBox();
  assert.ok(board.x >= 0 && board.x + board.width <= 360 && board.width >= 300);
  assert.ok(board.y + board.height <= 740 && hint.y + hint.height <= 740);
  await page.context().close();
});

test('language and theme change at once and are kept', async () => {
  const page = await world.page();
  await page.goto('/settings');
  await page.getByText('Bahasa Indonesia', { exact: true }).click();
  await page.getByRole('heading', { name: 'Pengaturan' }).waitFor();
  await page.getByText('gelap', { exact: true }).click();
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await background();
  await page.reload();
  await page.getByRole('heading', { name: 'Pengaturan' }).waitFor();
  assert.equal(await background(), dark);
  await page.getByText('terang', { exact: true }).click();
  assert.notEqual(await background(), dark);
  await page.context().close();
});

/** How much the lightness differs between a place's middle and a ring around it. */
function middleStandsOut(lightness, box) {
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const reach = Math.min(box.width, box.height) * 0.26;
  const around = [lightness(x + reach, y), lightness(x - reach, y), lightness(x, y + reach), lightness(x, y - reach)];
  const typical = around.sort((a, b) => a - b)[1];
  return Math.abs(lightness(x, y) - typical);
}

for (const colorScheme of ['light', 'dark']) {
  test(`in greyscale the last move and the side to move can be told (${colorScheme})`, async () => {
    const page = await world.page({ colorScheme });
    await startGame(page, 'othello');
    await ready(page);
    await moveByMouse(page);
    await page.locator('.play[data-ply="2"]').waitFor();
    await ready(page);
    await page.mouse.move(5, 700);
    await page.waitForTimeout(400);
    const lightness = await greyscale(page);
    const last = (await page.locator('[aria-current="step"]').innerText()).split(/\s+/).at(-1);
    const places = await page.locator('[role="gridcell"]:not(.playable)').all();
    let discs = 0;
    for (const place of places) {
      const move = await place.getAttribute('data-move');
      const label = (await place.getAttribute('aria-label')) ?? '';
      const contrast = middleStandsOut(lightness, await place.boundingBox());
      if (move === last) assert.ok(contrast > 100, `the last move ${move} stands out by ${contrast}`);
      else if (!/empty/.test(label)) {
        discs += 1;
        assert.ok(contrast < 30, `${move} is marked though it is not the last move`);
      }
    }
    assert.ok(discs >= 4);

    const arrows = await page.locator('.card .arrow').all();
    const paper = lightness(5, 780);
    const marked = [];
    for (const arrow of arrows) {
      const box = await arrow.boundingBox();
      let strongest = 0;
      for (let y = box.y; y < box.y + Math.max(16, box.height); y += 1) {
        strongest = Math.max(strongest, Math.abs(lightness(box.x + 3, y) - paper));
      }
      marked.push(strongest > 100);
    }
    assert.deepEqual(marked, [true, false], 'Black is to move and has the arrow');
    await keep(page, `greyscale-${colorScheme}`, { grey: true });
    await page.context().close();
  });
}

test('nothing moves when the system asks for less motion', async () => {
  const page = await world.page({ reducedMotion: 'reduce' });
  await startGame(page, 'othello');
  await ready(page);
  await moveByMouse(page);
  assert.equal(await page.locator('.turned, .grown, .drawn').count(), 0);
  await page.context().close();
});
