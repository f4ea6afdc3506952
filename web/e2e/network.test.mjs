import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessible } from './support/axe.mjs';
import { isOver, moveByMouse, plyOf, ready, startGame } from './support/play.mjs';
import { suite } from './support/suite.mjs';

const world = suite();

/** What each place of the board says of itself. */
const labels = (page) =>
  page.locator('.frame [role="gridcell"]').evaluateAll((places) => places.map((place) => place.getAttribute('aria-label')));
/** How many discs or marks a place has of each player. */
const owner = (label) => /(black|hitam|, X$|, X\b)/.test(label) ? 'first' : /(white|putih|, O$|, O\b)/.test(label) ? 'second' : null;
const shownPoints = async (page) => (await page.locator('.players .points').allInnerTexts()).map(Number);

for (const [game, locale, words] of [
  ['othello', 'en-GB', /, (\d+) turned/],
  ['othello', 'id-ID', /, (\d+) dibalik/],
  ['adjacency', 'en-GB', /, (\d+) turned/],
  ['adjacency', 'id-ID', /, (\d+) dibalik/],
]) {
  test(`${game} (${locale}): what is announced is the difference of the two boards, after a lost connection too`, async () => {
    const page = await world.page({ locale });
    await startGame(page, game, { second: 'person' });
    let turned = 0;
    for (let ply = 1; ply <= 8; ply += 1) {
      if (ply === 5) {
        await world.server.crashAndRestart();
        await page.locator('.playable').first().waitFor();
      }
      const before = await labels(page);
      await moveByMouse(page, (count) => (ply * 5) % count);
      const after = await labels(page);
      const changed = before.filter((label, index) => owner(label) && owner(after[index]) && owner(label) !== owner(after[index])).length;
      const said = await page.locator('.middle .line p').first().innerText();
      assert.equal(Number(words.exec(said)?.[1] ?? 0), changed, said);
      turned += changed;
    }
    assert.ok(turned > 0);
    await page.context().close();
  });
}

/** A finished game between two bots, on a page of its own. */
async function finishedGame(game) {
  const page = await world.page();
  await startGame(page, game, { first: 'bot random:seed=3', second: 'bot random:seed=4' });
  await page.getByRole('tab', { name: 'Bot' }).click();
  await page.getByLabel(/Pause between moves/).fill('0');
  await page.locator('.play[data-over="true"]').waitFor({ timeout: 60_000 });
  await page.getByRole('tab', { name: 'Result' }).click();
  return page;
}

const found = (page) => page.getByText(/gave away|gave anything away/).first().waitFor({ timeout: 60_000 });
const mistakes = async (page) => {
  await found(page);
  return page.getByText(/gave away|gave anything away/).allInnerTexts();
};

test('a review is the same for every visitor, on a slow and a failing network and after a restart, and says whose move each was', async () => {
  const page = await finishedGame('othello');
  const address = new URL(page.url()).pathname;
  const other = await world.page();
  await other.goto(address);
  const truth = await mistakes(page);
  assert.equal(truth.length, 3);
  for (const line of truth) {
    assert.match(line, /^Move \d+, [a-h][1-8] by Random \(.*seed [34]\) as (Black|White), gave away \d+ \((exact|estimate at depth \d+)\); .+ was better\.$/);
    const [, number, seed, side] = /^Move (\d+), .*seed (\d)\) as (\w+),/.exec(line);
    assert.equal(side, seed === '3' ? 'Black' : 'White', `move ${number}`);
  }
  assert.deepEqual(await mistakes(other), truth, 'someone who came while it was made');
  await assertAccessible(page, 'a review');

  await other.route('**/review', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 800));
    await route.continue();
  });
  await other.reload();
  assert.deepEqual(await mistakes(other), truth, 'on a slow network');

  await other.unroute('**/review');
  await other.route('**/review', (route) => route.abort());
  await other.reload();
  await other.getByText(/Papan cannot be reached/).waitFor();
  await other.unroute('**/review');
  await other.getByRole('button', { name: 'Find the costliest moves' }).click();
  assert.deepEqual(await mistakes(other), truth, 'after it failed once');

  await world.server.crashAndRestart();
  const searches = async () => (await (await fetch(new URL('/api/health', world.server.url))).json()).searches;
  await other.reload();
  assert.deepEqual(await mistakes(other), truth, 'after a restart');
  assert.equal(await searches(), 0, 'nothing is looked at again');
  await page.context().close();
  await other.context().close();
});

test('the same imported game gets the same losses, whatever was analysed before', async () => {
  const address = '/analyse?game=othello&moves=f5+d6+c3+d3+c4+f4+f6&tab=moves';
  const losses = async (page) => {
    await page.getByRole('button', { name: 'Whole game' }).click();
    await page.getByRole('button', { name: 'Stop the whole game' }).waitFor({ state: 'detached', timeout: 60_000 });
    return [await page.getByRole('tabpanel').innerText(), await page.locator('.graph .line').getAttribute('d')];
  };
  const [one, two] = [await world.page(), await world.page()];
  await one.goto(address);
  await one.getByText('7 / 7').waitFor();
  await two.goto(`${address}&analysis=on&time=500ms`);
  await two.locator('.plate').first().waitFor({ timeout: 30_000 });
  await two.getByRole('button', { name: 'Stop', exact: true }).click();
  const truth = await losses(one);
  assert.ok(truth[1].split('L').length === 8, truth[1]);
  assert.deepEqual(await losses(two), truth);
  assert.deepEqual([...one.troubles, ...two.troubles], []);
  await one.context().close();
  await two.context().close();
});

/** The first answers come last: each is held back less long than the one before. */
async function reversed(page, longest = 1500) {
  let wait = longest;
  await page.route('**/api/board', async (route) => {
    const mine = wait;
    wait = Math.max(400, wait - 550);
    await new Promise((resolve) => setTimeout(resolve, mine));
    await route.continue().catch(() => {});
  });
}

/** What the places of every board of a line say, straight from the server. */
async function truthOf(game, moves) {
  const answer = await fetch(new URL('/api/board', world.server.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ game, moves }),
  });
  const { boards } = await answer.json();
  return boards.map((board) => ({
    points: board.points,
    owners: board.scene.shapes.filter((shape) => shape.kind === 'cell').map((shape) => shape.owner),
  }));
}

/** Waits for the board of a ply and compares all that is shown with it. */
async function sameBoard(page, ply, truth) {
  await page.locator(`.frame[data-board="${ply}"][aria-busy="false"]`).waitFor();
  assert.deepEqual((await labels(page)).map(owner), truth[ply].owners, `the board after move ${ply}`);
}

test('stepping back quickly shows the board that is named, with its own points, and a failure is said and can be mended', async () => {
  const page = await world.page();
  await startGame(page, 'othello', { second: 'person' });
  for (let move = 0; move < 8; move += 1) await moveByMouse(page);
  const ply = await plyOf(page);
  assert.equal(await isOver(page), false);
  const listed = await (await fetch(new URL(`/api${new URL(page.url()).pathname.replace('game', 'games')}`, world.server.url))).json();
  const truth = await truthOf('othello', listed.moves.map((entry) => entry.move));

  await reversed(page);
  for (let step = 1; step <= 3; step += 1) await page.keyboard.press('[');
  await page.getByText(`Fetching the board after move ${ply - 3} …`).waitFor();
  assert.deepEqual(await shownPoints(page), truth[ply].points, 'still the board of now, with its points');
  await page.getByText(`Showing the board after move ${ply - 3}.`).waitFor();
  await sameBoard(page, ply - 3, truth);
  // The held-back answers have had time to come by now.
  await page.waitForTimeout(1800);
  await sameBoard(page, ply - 3, truth);
  assert.deepEqual(await shownPoints(page), truth[ply - 3].points);

  await page.unroute('**/api/board');
  await page.route('**/api/board', (route) => route.abort());
  await page.keyboard.press('[');
  await page.getByRole('alert').getByText(`The board after move ${ply - 4} did not arrive.`).waitFor();
  await page.getByText(`Showing the board after move ${ply - 3}.`).waitFor();
  assert.deepEqual((await labels(page)).map(owner), truth[ply - 3].owners);
  assert.deepEqual(await shownPoints(page), truth[ply - 3].points);
  await page.unroute('**/api/board');
  await page.getByRole('button', { name: 'Try again' }).click();
  await sameBoard(page, ply - 4, truth);
  assert.deepEqual(await shownPoints(page), truth[ply - 4].points);
  await page.getByRole('button', { name: 'Back to now' }).click();
  await ready(page);
  await sameBoard(page, ply, truth);
  assert.deepEqual(await shownPoints(page), truth[ply].points);
  await page.context().close();
});

test('analyse: the board, its score and its values are of the ply that is named; a failure is said and can be mended', async () => {
  const moves = ['f5', 'd6', 'c3', 'd3', 'c4', 'f4', 'f6'];
  const truth = await truthOf('othello', moves);
  const page = await world.page();
  await page.goto(`/analyse?game=othello&moves=${moves.join('+')}`);
  await page.locator('.frame[data-board="7"]').waitFor();
  const score = async () => (await page.locator('.score').innerText()).match(/\d+/g).map(Number);
  await reversed(page);
  for (let step = 1; step <= 3; step += 1) await page.keyboard.press('[');
  await page.getByText('4 / 7').waitFor();
  assert.deepEqual(await score(), truth[Number(await page.locator('.frame').getAttribute('data-board'))].points);
  await sameBoard(page, 4, truth);
  await page.waitForTimeout(1800);
  await sameBoard(page, 4, truth);
  assert.deepEqual(await score(), truth[4].points);

  await page.unroute('**/api/board');
  await page.route('**/api/board', (route) => route.abort());
  await page.keyboard.press('[');
  await page.getByRole('alert').getByText('The board after move 3 did not arrive.').waitFor();
  assert.deepEqual((await labels(page)).map(owner), truth[4].owners);
  assert.deepEqual(await score(), truth[4].points);
  assert.equal(await page.locator('.frame .playable').count(), 0, 'no move is made on a board that is not the one asked for');
  await page.unroute('**/api/board');
  await page.getByRole('button', { name: 'Try again' }).click();
  await sameBoard(page, 3, truth);
  assert.deepEqual(await score(), truth[3].points);
  await page.context().close();
});

/** The requests that a page makes from now on, without the catalog of the next screen. */
function requestsOf(page, pattern) {
  const made = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pattern.test(pathname)) made.push(pathname);
  });
  return made;
}

test('whoever leaves a screen that follows something stops following', async () => {
  const page = await world.page();
  await page.goto('/arena');
  await page.getByText('Othello', { exact: true }).click();
  // Bots that use their whole time, so that it does not end by itself.
  for (const bot of ['Bot 1', 'Bot 2']) await page.getByLabel(bot, { exact: true }).fill('mcts:time=100ms');
  await page.getByLabel('Games of each meeting').fill('1000');
  await page.getByRole('button', { name: 'Begin' }).click();
  await page.waitForURL(/\/arena\/[0-9a-f]{16}$/);
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByRole('button', { name: 'Stop' }).waitFor();
  const id = page.url().split('/').at(-1);
  const leave = async (pattern) => {
    await page.getByRole('link', { name: 'Library' }).click();
    await page.getByRole('heading', { level: 1, name: 'Library' }).waitFor();
    const made = requestsOf(page, pattern);
    await page.waitForTimeout(2000);
    assert.deepEqual(made, [], String(pattern));
  };
  await leave(/tournaments/);

  await page.route('**/api/tournaments/**', (route) => route.abort());
  await page.goto(`/arena/${id}`);
  await page.getByRole('alert').getByText(/cannot be reached/).waitFor();
  await page.unroute('**/api/tournaments/**');
  // It comes back by itself.
  await page.getByRole('button', { name: 'Stop' }).waitFor();
  await page.getByRole('alert').waitFor({ state: 'detached' });
  await fetch(new URL(`/api/tournaments/${id}`, world.server.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"running":false}',
  });

  await page.goto('/');
  await page.locator('article svg').nth(3).waitFor();
  await leave(/api\/board/);

  await page.goto('/lab/experiments?game=othello&bot=alpha-beta&bot=minimax&depths=5,6&seeds=1&positions=40&plies=10&games=0');
  await page.getByRole('button', { name: 'Run it', exact: true }).or(page.locator('form .button.main')).first().click();
  await page.locator('progress').waitFor();
  await leave(/experiments/);
  await page.context().close();
});
