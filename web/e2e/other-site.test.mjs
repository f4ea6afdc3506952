import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { suite } from './support/suite.mjs';

const world = suite();

/** A page of another site: the same machine, another port. */
async function otherSite(html) {
  const server = createServer((_, answer) => answer.writeHead(200, { 'content-type': 'text/html' }).end(html));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => (server.closeAllConnections(), new Promise((resolve) => server.close(resolve))) };
}

test('a page of another site computes, makes and hears nothing here', async (current) => {
  const papan = world.server.url;
  const costly = `${papan}/api/lab/counts?game=tic-tac-toe&bot=alpha-beta:depth=9`;
  const body = JSON.stringify({ game: 'tic-tac-toe', seats: [{ kind: 'person' }, { kind: 'person' }] });
  const site = await otherSite(`<!doctype html><title>other</title>
    <img id="picture" src="${papan}/api/board.svg?game=othello">
    <img src="${costly}">
    <iframe id="frame" name="frame"></iframe>
    <form id="form" method="post" enctype="text/plain" action="${papan}/api/games" target="frame"><input name='${body}' value=""></form>
    <a id="link" href="${papan}/library">a link</a>`);
  // Whatever happens: an open server would keep the tests from ending.
  current.after(() => site.close());
  const context = await world.browser.newContext();
  const page = await context.newPage();
  // What the browser keeps from the page is known to its inspector alone, which
  // may tell of an answer before it tells of its request.
  const inspector = await context.newCDPSession(page);
  const [asked, answered] = [new Map(), new Map()];
  inspector.on('Network.requestWillBeSent', ({ requestId, request }) => asked.set(requestId, request));
  inspector.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode }) => answered.set(requestId, statusCode));
  await inspector.send('Network.enable');
  await page.goto(site.url);
  await page.waitForLoadState('load');
  const heard = await page.evaluate(
    async ([origin, address]) => {
      const fetched = await fetch(address, { mode: 'no-cors' }).then((answer) => answer.type, () => 'failed');
      const posted = await fetch(`${origin}/api/games`, { method: 'POST', mode: 'no-cors', body: '{}' }).then((answer) => answer.type, () => 'failed');
      const game = `${origin.replace('http', 'ws')}/api/games/0000000000000000/live`;
      const socket = await new Promise((resolve) => {
        const live = new WebSocket(game);
        live.onopen = () => resolve('open');
        live.onerror = () => resolve('refused');
      });
      document.getElementById('form').submit();
      return { fetched, posted, socket, picture: document.getElementById('picture').naturalWidth };
    },
    [papan, costly],
  );
  await page.waitForTimeout(500);
  assert.equal(heard.socket, 'refused');
  assert.equal(heard.picture, 0, 'no picture is drawn');
  const statuses = new Map();
  for (const [id, { method, url }] of asked) statuses.set(`${method} ${new URL(url).pathname}`, answered.get(id));
  for (const what of ['GET /api/board.svg', 'GET /api/lab/counts', 'POST /api/games']) {
    assert.equal(statuses.get(what), 403, `${what}: ${JSON.stringify([...statuses])}`);
  }
  const own = await world.page();
  await own.goto('/library');
  await own.getByText('No game yet.').waitFor();
  const health = await own.evaluate(() => fetch('/api/health').then((answer) => answer.json()));
  assert.equal(health.searches, 0, 'nothing is computed');

  // A link from there is followed as any other.
  await page.locator('#link').click();
  await page.waitForURL(`${papan}/library`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await own.context().close();
  await context.close();
});
