import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { assertAccessible } from './support/axe.mjs';
import { suite } from './support/suite.mjs';

const world = suite();
const run = promisify(execFile);

/** A Swiss tournament in which a program with a long name does everything wrong. */
const CUP = `game = "tic-tac-toe"
format = "swiss"
rounds = 3
games = 6
time = "20s"
folder = "bots"
bots = ["random", "greedy", "minimax:depth=2", "mcts:simulations=50", "alpha-beta:depth=3,order=captures"]
`;

test('nothing of the standings is cut off, on any width and in print; limits, faults and tie-breaks are explained', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'papan-report-'));
  await mkdir(path.join(folder, 'bots'));
  for (const open of [folder, path.join(folder, 'bots')]) await chmod(open, 0o755);
  await writeFile(path.join(folder, 'bots', 'a-program-with-a-long-name-that-is-always-wrong.py'), "import sys\nfor line in sys.stdin: print('z9', flush=True)\n");
  const file = path.join(folder, 'cup.toml');
  const html = path.join(folder, 'cup.html');
  await writeFile(file, CUP);
  await run(world.server.binary, ['tournament', file, '--html', html]);
  for (const [width, colorScheme, locale] of [
    [360, 'light', 'en-GB'],
    [360, 'dark', 'id-ID'],
    [1280, 'light', 'en-GB'],
    [1280, 'dark', 'id-ID'],
  ]) {
    const page = await world.page({ viewport: { width, height: 900 }, colorScheme, locale });
    await page.goto(`file://${html}`);
    const seen = async () => {
      const faults = page.locator('#standings').getByText(/^ILLEGAL \d+$/);
      assert.equal(await faults.count(), 1);
      assert.equal(await faults.innerText(), 'ILLEGAL 18');
      const inside = await faults.evaluate((node) => {
        const [own, frame] = [node.getBoundingClientRect(), node.closest('#standings').getBoundingClientRect()];
        return own.left >= frame.left && own.right <= frame.right && own.right <= innerWidth && node.scrollWidth <= node.clientWidth;
      });
      assert.ok(inside, `the fault is in sight at ${width} px`);
    };
    await seen();
    const text = await page.locator('body').innerText();
    const words = locale === 'en-GB' ? ['20 s a move', 'loses the game', 'the sum of the points of everyone met'] : ['20 detik tiap langkah', 'yang berbuat salah kalah', 'jumlah poin semua lawan yang ditemui'];
    for (const each of [...words, 'Buchholz', 'Sonneborn–Berger']) assert.ok(text.includes(each), `${each} in ${locale}`);
    assert.doesNotMatch(text, /± \d{4}|NaN|Infinity/);
    await assertAccessible(page, `report at ${width} px`);
    if (width === 1280) {
      // A sheet of A4 with usual margins, from whichever theme: dark words on white.
      await page.setViewportSize({ width: 718, height: 1000 });
      await page.emulateMedia({ media: 'print', colorScheme });
      await seen();
      const { ink, wide } = await page.evaluate(() => ({ ink: getComputedStyle(document.body).color, wide: document.querySelector('#standings table').getBoundingClientRect().right }));
      assert.equal(ink, 'rgb(0, 0, 0)');
      assert.ok(wide <= 718, `the table ends at ${wide} of 718 px`);
    }
    assert.deepEqual(page.troubles.filter((trouble) => !trouble.endsWith(html)), [], 'it asks for nothing but itself');
    await page.context().close();
  }
  await rm(folder, { recursive: true });
});
