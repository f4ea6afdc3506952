import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessible } from './support/axe.mjs';
import { suite } from './support/suite.mjs';

const world = suite();

/** So long after the last page has gone nothing is at work. */
const AT_REST_AFTER = 1000;

async function health() {
  return (await fetch(new URL('/api/health', world.server.url))).json();
}

async function atWork() {
  const { tournaments, searches } = await health();
  return tournaments + searches;
}

const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function beginTournament(page) {
  await page.goto('/arena');
  await page.locator('label').getByText('Othello', { exact: true }).click();
  // Bots that use their whole time, so that it does not end by itself.
  for (const bot of ['Bot 1', 'Bot 2']) await page.getByLabel(bot, { exact: true }).fill('mcts:time=5ms');
  await page.getByLabel('Games of each meeting').fill('1000');
  await page.getByRole('button', { name: 'Begin' }).click();
  await page.waitForURL(/\/arena\/[0-9a-f]{16}$/);
  await page.getByText(/plays while this page is open/).waitFor();
}

const played = async (page) => Number(await page.locator('[data-played]').getAttribute('data-played'));

async function playsOn(page) {
  const before = await played(page);
  await page.waitForFunction((before) => Number(document.querySelector('[data-played]')?.dataset.played) > before, before);
  return before;
}

test('a tournament pauses when its page is left and goes on when somebody comes back', async () => {
  const page = await world.page();
  await beginTournament(page);
  await playsOn(page);
  await assertAccessible(page, 'a tournament that is followed');

  // Another screen of the page, and back.
  const before = await played(page);
  await page.getByRole('link', { name: 'Library' }).click();
  await page.getByRole('heading', { level: 1, name: 'Library' }).waitFor();
  await wait(AT_REST_AFTER);
  assert.equal(await atWork(), 0, 'after another screen');
  await page.goto('/arena');
  await page.getByText(/paused/).waitFor();
  await page.goBack();
  await page.goBack();
  await page.getByText(/plays while this page is open/).waitFor();
  assert.ok((await playsOn(page)) >= before, 'it goes on from where it was');

  // A tab in the background goes on.
  const other = await page.context().newPage();
  await other.goto(world.server.url);
  await other.bringToFront();
  await wait(2 * AT_REST_AFTER);
  assert.equal((await health()).tournaments, 1, 'in the background');

  // Another site, or the end of the tab.
  const address = page.url();
  await page.goto('about:blank');
  await wait(AT_REST_AFTER);
  assert.equal(await atWork(), 0, 'after another site');
  await page.goBack();
  await page.getByText(/plays while this page is open/).waitFor();
  await playsOn(page);
  await page.close();
  await wait(AT_REST_AFTER);
  assert.equal(await atWork(), 0, 'after the tab was closed');

  // What was stopped by hand stays stopped.
  await other.goto(address);
  await other.getByRole('button', { name: 'Stop' }).click();
  await other.getByRole('button', { name: 'Go on' }).waitFor();
  await other.reload();
  await other.getByRole('button', { name: 'Go on' }).waitFor();
  assert.equal(await atWork(), 0, 'stopped by hand');
  assert.deepEqual(page.troubles, []);
  await other.context().close();
});

test('a tournament comes back after the server was away', async () => {
  const page = await world.page();
  await beginTournament(page);
  await playsOn(page);
  await world.server.crashAndRestart();
  // A server that has just begun plays nothing before it is asked to.
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByRole('button', { name: 'Stop' }).waitFor();
  await playsOn(page);
  await page.context().close();
});

test('an experiment pauses when its page is left and ends once somebody comes back', async () => {
  const page = await world.page();
  await page.goto('/lab/experiments?game=othello&bot=alpha-beta&bot=minimax&depths=5,6&seeds=1&positions=20&plies=10&games=0');
  await page.locator('form .button.main').click();
  await page.getByText(/runs while this page is open/).waitFor();
  await assertAccessible(page, 'an experiment that is followed');
  const address = page.url();
  await page.goto('about:blank');
  await wait(AT_REST_AFTER);
  assert.equal(await atWork(), 0, 'after another site');
  const id = new URL(address).searchParams.get('id');
  const standing = await (await fetch(new URL(`/api/lab/experiments/${id}`, world.server.url))).json();
  assert.deepEqual([standing.running, standing.waiting], [false, true]);
  await page.goto(address);
  await page.getByRole('heading', { name: 'The report' }).waitFor({ timeout: 120_000 });
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

for (const [locale, words] of [
  ['en-GB', /in a background tab too\. Within a second/],
  ['id-ID', /juga di tab latar belakang\. Sedetik/],
]) {
  test(`a page says when its work goes on (${locale})`, async () => {
    for (const [width, colorScheme] of [[360, 'light'], [360, 'dark'], [1280, 'light'], [1280, 'dark']]) {
      const page = await world.page({ locale, colorScheme, viewport: { width, height: 800 } });
      const begun = await fetch(new URL('/api/tournaments', world.server.url), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Othello', game: 'othello', bots: ['mcts:time=20ms', 'greedy'], games: 100 }),
      });
      await page.goto(`/arena/${(await begun.json()).id}`);
      await page.getByText(words).waitFor();
      await page.getByRole('img').first().waitFor();
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width, `nothing is wider than ${width} px`);
      assert.deepEqual(page.troubles, []);
      await page.context().close();
    }
  });
}
