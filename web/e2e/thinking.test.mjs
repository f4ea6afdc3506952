import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newPage } from './support/browser.mjs';
import { keep } from './support/pictures.mjs';
import { startGame } from './support/play.mjs';
import { startProxy } from './support/proxy.mjs';
import { suite } from './support/suite.mjs';

const world = suite();
let network;
after(() => network?.stop());

/** A page that is so many milliseconds away from the server. */
async function distantPage(delay) {
  network ??= await startProxy(world.server.url);
  network.delay = delay;
  return newPage(world.browser, network);
}

/** The Othello engine with an hour for the game: it takes about half a minute for its first move. */
const SLOW_ENGINE = { first: 'bot engine', second: 'person', clock: '60m+0s' };

/** What the panel and the player's card show of a bot at work. */
function shown(page) {
  return page.evaluate(() => {
    const text = (selector) => document.querySelector(selector)?.textContent?.trim() ?? '';
    const panel = text('[role="tabpanel"]');
    const size = { '': 1, k: 1e3, M: 1e6, G: 1e9 };
    const [, number = '0', unit = ''] = /([\d.,]+)\s?([kMG]?) positions/.exec(panel) ?? [];
    return {
      panel,
      positions: Number(number.replace(',', '')) * size[unit],
      card: text('.card .state'),
      elapsed: Number.parseFloat(text('.card .elapsed')),
      clock: text('.card .clock'),
    };
  });
}

/** Looks at the page for some seconds. */
async function watch(page, seconds) {
  const seen = [];
  for (let look = 0; look < seconds * 4; look += 1) {
    seen.push(await shown(page));
    await page.waitForTimeout(250);
  }
  return seen;
}

const distinct = (values) => new Set(values).size;
const grows = (values) => values.every((value, index) => index === 0 || value >= values[index - 1]);

for (const [name, delay] of [['a quick', 0], ['a slow', 700]]) {
  test(`with ${name} network a thinking engine shows growing numbers and a ticking clock`, async () => {
    const page = await distantPage(delay);
    page.setDefaultTimeout(60_000);
    await startGame(page, 'othello', SLOW_ENGINE);
    await page.getByRole('tab', { name: 'Bot' }).click();
    await page.getByText('Black is thinking.').waitFor();
    await page.waitForFunction(() => /[1-9].* positions/.test(document.querySelector('[role="tabpanel"]')?.textContent ?? ''));
    const seen = await watch(page, 4);
    for (const look of seen) {
      assert.match(look.panel, /Black is thinking\./);
      assert.match(look.card, /^thinking/);
    }
    const column = (field) => seen.map((look) => look[field]);
    assert.ok(grows(column('positions')) && distinct(column('positions')) >= 4, String(column('positions')));
    assert.ok(grows(column('elapsed')) && distinct(column('elapsed')) >= 8, String(column('elapsed')));
    assert.ok(distinct(column('clock')) >= 3, String(column('clock')));
    assert.match(seen.at(-1).panel, /best\s*[a-h][1-8]/);
    if (delay === 0) await keep(page, 'play-thinking');
    assert.deepEqual(page.troubles, []);
    await page.context().close();
  });
}

test('without a clock a bot shows how long it has been thinking', async () => {
  const page = await distantPage(0);
  await startGame(page, 'othello', { first: 'bot engine', second: 'person' });
  await page.locator('.card .elapsed').first().waitFor();
  const seen = await watch(page, 1);
  assert.ok(distinct(seen.map((look) => look.elapsed)) >= 3, JSON.stringify(seen));
  assert.equal(seen[0].clock, '');
  await page.context().close();
});

test('when the network fails the page says so, comes back and shows the bot at work again', async () => {
  const page = await distantPage(50);
  await startGame(page, 'othello', SLOW_ENGINE);
  await page.getByRole('tab', { name: 'Bot' }).click();
  await page.getByText('Black is thinking.').waitFor();

  network.cut();
  await page.locator('.line').getByText('Connection lost. Trying again …').waitFor();
  const lost = await shown(page);
  assert.match(lost.panel, /Connection lost/);
  assert.doesNotMatch(lost.panel, /No bot is thinking|is thinking/);
  assert.doesNotMatch(lost.card, /thinking/);
  await page.waitForTimeout(1_500);
  assert.equal((await shown(page)).clock, lost.clock, 'a clock that nobody knows of does not run');
  await keep(page, 'play-connection-lost');

  network.mend();
  await page.getByText('Black is thinking.').waitFor({ timeout: 20_000 });
  assert.equal(await page.getByText('Connection lost. Trying again …').count(), 0);
  const seen = await watch(page, 3);
  assert.ok(distinct(seen.map((look) => look.positions)) >= 3, JSON.stringify(seen));
  assert.ok(distinct(seen.map((look) => look.clock)) >= 3, JSON.stringify(seen));
  await page.context().close();
});

test('the search for a hint shows growing numbers, also through a slow network', async () => {
  const page = await distantPage(400);
  const opened = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'));
  await startGame(page, 'othello');
  await opened;
  await page.getByRole('button', { name: 'Hint' }).click();
  await page.locator('.seeking', { hasText: /[1-9].* positions/ }).waitFor();
  const texts = [];
  while (await page.locator('.seeking').count()) {
    texts.push(await page.locator('.seeking').textContent({ timeout: 1_000 }).catch(() => texts.at(-1)));
    await page.waitForTimeout(100);
  }
  assert.ok(distinct(texts) >= 4, String(texts));
  await page.locator('.plate').first().waitFor();
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});
