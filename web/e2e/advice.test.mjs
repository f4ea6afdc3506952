import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keep } from './support/pictures.mjs';
import { startGame } from './support/play.mjs';
import { suite } from './support/suite.mjs';

const world = suite();
const FIVE = 'tic-tac-toe:rows=15,cols=15,k=5';
/** X has an open row of three in column h, and the move: both ends win, nothing else does at once. */
const WON = 'h8+i8+h7+i7+h9+i9';
const WINS = ['h6', 'h10'];

const analysis = (game, moves, settings = '') => `/analyse?game=${game}&moves=${moves}&time=1s${settings}`;
const ring = (page) => page.locator('[role="gridcell"]:has(.hint)');
const ringed = async (page) => {
  await ring(page).waitFor({ timeout: 60_000 });
  assert.equal(await ring(page).count(), 1, 'one ring');
  return ring(page).getAttribute('data-move');
};
const underlined = (page) => page.locator('[role="gridcell"]:has(.best)').evaluateAll((cells) => cells.map((cell) => cell.dataset.move));

/** What the stream of `/api/analyse` ends with. */
async function told(page, game, position) {
  const query = new URLSearchParams({ game, position, time: '1s' });
  const text = await (await page.request.get(`/api/analyse?${query}`)).text();
  return JSON.parse(/event: result\ndata: (.*)/.exec(text)[1]);
}

const settled = (page) => page.locator('.details .progress', { hasText: /depth|exact/ }).waitFor({ timeout: 60_000 });

test('five in a row: the ring is on a move that wins, and only such moves are underlined', async () => {
  const page = await world.page();
  await page.goto(analysis(FIVE, WON, '&analysis=on'));
  assert.ok(WINS.includes(await ringed(page)));
  await settled(page);
  const best = await underlined(page);
  assert.deepEqual(best.filter((move) => !WINS.includes(move)), []);
  assert.ok(best.includes(await ringed(page)));
  await keep(page, 'advice-five');
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test('five in a row: before it is decided, the engine’s own move alone is called best', async () => {
  const page = await world.page();
  await page.goto(analysis(FIVE, 'h8+i8+h7+i7+h9', '&analysis=on'));
  await settled(page);
  const move = await ringed(page);
  assert.ok(WINS.includes(move), `${move} lets X make an open four`);
  assert.deepEqual(await underlined(page), [move]);
  await keep(page, 'advice-defence');
  await page.context().close();
});

test('a hint rings a winning move, also over a slow line', async () => {
  const page = await world.page();
  await page.routeWebSocket(/\/api\//, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => setTimeout(() => socket.send(message), 400));
  });
  const rows = Array.from({ length: 15 }, () => '.'.repeat(15));
  const put = (row, text) => (rows[row - 1] = text.padEnd(15, '.'));
  put(7, '.......XO');
  put(8, '.......XO');
  put(9, '.......XO');
  await startGame(page, 'tic-tac-toe', { game: FIVE, position: `${rows.join('/')} X` });
  await page.getByRole('button', { name: 'Hint', exact: true }).click();
  assert.ok(WINS.includes(await ringed(page)));
  await page.context().close();
});

test('Dots and Boxes: lines that are the same have the same value, and none leaves the board', async () => {
  const page = await world.page();
  await page.goto(analysis('dots-and-boxes:rows=5,cols=5', '', '&analysis=on'));
  await settled(page);
  // By the middle of each line, so that mirror images and turns can be told without names.
  const lines = await page.locator('[role="gridcell"][data-move]').evaluateAll((cells) =>
    cells.map((cell) => ({ at: cell.dataset.place.split(':').map(Number), value: cell.querySelector('.value')?.textContent ?? '' })),
  );
  assert.equal(lines.length, 60);
  assert.ok(lines.some(({ value }) => value !== ''));
  const all = lines.flatMap(({ at }) => at);
  const turn = Math.min(...all) + Math.max(...all);
  const values = new Map(lines.map(({ at, value }) => [at.join(':'), value]));
  for (const { at: [x, y], value } of lines) {
    for (const twin of [`${turn - x}:${y}`, `${x}:${turn - y}`, `${y}:${x}`]) {
      assert.equal(values.get(twin), value, `${x}:${y} and ${twin}`);
    }
    assert.ok(Math.abs(Number(value.replace('−', '-').replace('≤', ''))) <= 25, value);
  }
  assert.ok((await underlined(page)).includes(await ringed(page)));
  await keep(page, 'advice-boxes');
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test('over a slow line the ring waits for its own position', async () => {
  const page = await world.page();
  await page.route('**/api/analyse*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await route.continue().catch(() => {});
  });
  await page.goto(analysis(FIVE, WON, '&analysis=on'));
  await page.locator('[role="gridcell"]').first().waitFor();
  assert.equal(await ring(page).count(), 0, 'nothing is known yet');
  // Back to the position before, while the first answer is still on its way.
  await page.keyboard.press('[');
  await page.getByText('5 / 6').waitFor();
  const here = await ringed(page);
  await settled(page);
  assert.deepEqual(await underlined(page), [here]);
  await page.context().close();
});

test('a failing line leaves no ring and says so; trying again brings the right one', async () => {
  const page = await world.page();
  await page.route('**/api/analyse*', (route) => route.abort());
  await page.goto(analysis(FIVE, WON));
  await page.getByRole('button', { name: 'Analyse', exact: true }).click();
  await page.locator('.details .problem').waitFor();
  assert.equal(await ring(page).count(), 0);
  assert.equal(await page.locator('.plate').count(), 0);
  await page.unroute('**/api/analyse*');
  await page.getByRole('button', { name: /^(Stop|Analyse)$/ }).first().click();
  const again = page.getByRole('button', { name: 'Analyse', exact: true });
  if (await again.isVisible()) await again.click();
  assert.ok(WINS.includes(await ringed(page)));
  await page.context().close();
});

test('page and API call the same moves best', async () => {
  const page = await world.page();
  const position = 'X.O/.X./..O X';
  await page.goto(`/analyse?game=tic-tac-toe&position=${encodeURIComponent(position)}&time=1s&analysis=on`);
  await settled(page);
  const result = await told(page, 'tic-tac-toe', position);
  assert.equal(result.best_complete, true);
  assert.deepEqual((await underlined(page)).sort(), [...result.best].sort());
  assert.ok(result.best.includes(await ringed(page)));
  await page.context().close();
});
