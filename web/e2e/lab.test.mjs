import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { assertAccessible } from './support/axe.mjs';
import { tabTo } from './support/keys.mjs';
import { keep } from './support/pictures.mjs';
import { suite } from './support/suite.mjs';

const world = suite();
const run = promisify(execFile);

/** What the program prints as JSON. */
async function printed(...args) {
  const { stdout } = await run(world.server.binary, args, { maxBuffer: 1 << 26 });
  return JSON.parse(stdout);
}

const ask = async (page, path, query) => (await page.request.get(`/api/lab/${path}?${new URLSearchParams(query)}`)).json();
const lab = (part, query) => `/lab/${part}?${new URLSearchParams(query)}`;
const atStep = (page, step) => page.locator(`.lab-tree[data-loading="false"][data-step="${step}"]`).waitFor();
const searched = (page) => page.locator('.lab-tree[data-loading="false"][data-step]').waitFor();

/** A small search with cuts: its every step can be looked at. */
const SMALL = { game: 'tic-tac-toe', position: 'XOX/.O./..X O', bot: 'alpha-beta' };

test('a search is stepped through to its end, and every explanation matches the recorded bound', async () => {
  const page = await world.page();
  const tree = await ask(page, 'tree', SMALL);
  assert.ok(tree.cuts > 3 && tree.steps < 60, `${tree.cuts} cuts in ${tree.steps} steps`);
  await page.goto(lab('tree', { ...SMALL, step: 0 }));
  await atStep(page, 0);
  let cuts = 0;
  for (let n = 0; n < tree.steps; n += 1) {
    await atStep(page, n);
    const step = await ask(page, 'tree/step', { ...SMALL, n });
    const shown = await page.evaluate(() => ({
      said: document.querySelector('.words')?.textContent,
      lines: document.querySelectorAll('li[aria-current="step"]').length,
      entry: document.querySelector('[data-entry]')?.textContent,
      exit: document.querySelector('[data-exit]')?.textContent,
      cutsDrawn: document.querySelectorAll('.cut-words').length,
    }));
    assert.equal(shown.said, step.words.en);
    assert.equal(shown.lines, step.lines.length, `step ${n} is at a line of the pseudocode`);
    if (step.kind === 'cut') {
      cuts += 1;
      const found = /(MAX|MIN) already has (\S+), (alpha|beta) is (\S+)\./.exec(shown.said);
      const node = step.node;
      const bound = node.layer === 'max' ? ['beta', node.entry[1]] : ['alpha', node.entry[0]];
      assert.deepEqual(found.slice(1), [node.layer.toUpperCase(), node.cut.has, ...bound]);
      assert.equal(node.value, `${node.layer === 'max' ? '≥' : '≤'} ${node.cut.has}`, 'a cut leaves a bound');
      assert.deepEqual([shown.entry, shown.exit], [`[${node.entry.join(', ')}]`, `[${node.exit.join(', ')}]`]);
      for (const move of node.cut.skipped) assert.ok(shown.said.includes(move));
      assert.ok(shown.cutsDrawn > 0, 'the cut is drawn');
    }
    await page.keyboard.press(']');
  }
  assert.equal(cuts, tree.cuts);
  assert.equal(await page.getByRole('button', { name: 'One step forward' }).isDisabled(), true);
  await page.getByRole('button', { name: 'Previous cut' }).click();
  await page.locator('.words[data-kind="cut"]').waitFor();
  await page.getByRole('button', { name: 'First step' }).click();
  await atStep(page, 0);
  await page.getByLabel('Speed').selectOption('200');
  await page.getByRole('button', { name: 'Play' }).click();
  await atStep(page, tree.steps - 1);
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

/** The position in which a3 and b3 look as good as c2, and are not. */
const BOUNDED = { game: 'tic-tac-toe', position: 'X.O/.X./..O X' };

test('a bound is marked as one on the page, and in the end the choice and best play are named and marked', async () => {
  const page = await world.page();
  const tree = await ask(page, 'tree', { ...BOUNDED, bot: 'alpha-beta', nodes: 400 });
  await page.goto(lab('tree', { ...BOUNDED, bot: 'alpha-beta' }));
  await searched(page);
  // What is on the page is what the search found out, sign and all.
  for (const more of [15, 30]) {
    await page.getByRole('button', { name: 'Open a layer' }).click();
    await page.locator('.node').nth(more).waitFor();
  }
  const nodes = new Map(tree.tree.map((node) => [String(node.id), node]));
  const shown = await page.locator('.node').evaluateAll((items) => items.map((item) => ({ ...item.dataset, label: item.getAttribute('aria-label') })));
  assert.ok(shown.length > 30);
  for (const { node, bound, label } of shown) {
    const expected = nodes.get(node);
    assert.equal(bound, expected.bound);
    assert.ok(label.startsWith(`${expected.layer.toUpperCase()}, ${expected.move ?? 'the root'}, ${expected.value}`), label);
    assert.equal(/[≤≥]/.test(label), expected.bound !== 'exact', label);
  }
  const written = await page.locator('.written .value').allTextContents();
  assert.deepEqual(written, shown.map(({ node }) => nodes.get(node).value));
  for (const move of ['a3', 'b3']) assert.equal(await page.locator(`[role="treeitem"][aria-label="MIN, ${move}, ≤ 0, ${move === 'a3' ? 2 : 3} skipped"]`).count(), 1);
  await page.getByRole('treeitem', { name: 'MIN, a3, ≤ 0, 2 skipped' }).hover();
  await page.locator('p[data-bound="at_most"]').waitFor();
  // Best play: named in the words of the last step, marked from the root to its end.
  assert.ok((await page.locator('.words').innerText()).endsWith(`Chosen: c2, worth 0. Best play: ${tree.pv.join(', ')}.`));
  const best = await page.locator('.node[data-best]').evaluateAll((items) => items.map((item) => item.getAttribute('aria-label')));
  assert.equal(best.length, tree.pv.length + 1);
  assert.ok(best.every((label) => label.endsWith('best play')), best.join('; '));
  assert.equal(await page.locator('path.branch.best').count(), tree.pv.length);
  await assertAccessible(page, 'a tree with bounds');
  await page.getByRole('button', { name: 'One step back' }).click();
  await page.locator('.node[data-best]').first().waitFor({ state: 'detached' });
  // While the search is in the root, what stands there is a bound too.
  assert.match(await page.locator('.node.inside').first().getAttribute('aria-label'), /^MAX, the root, ≥ 0/);
  // The picture of the server carries it all in words.
  const svg = await (await page.request.get(`/api/lab/tree/picture?${new URLSearchParams({ ...BOUNDED, bot: 'alpha-beta', format: 'svg', nodes: 400 })}`)).text();
  for (const node of tree.tree.filter(({ cut }) => cut)) assert.ok(svg.includes(node.cut.words.en), node.cut.words.en);
  assert.ok(svg.includes('Best play: c2') && svg.includes('≤ 0'));
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test('minimax and alpha-beta: equally deep, and only values compared with values', async () => {
  const page = await world.page();
  await page.goto(lab('tree', { ...BOUNDED, bot: 'alpha-beta', view: 'compare' }));
  await page.locator('[data-compared="same"]').waitFor();
  await page.getByText('Both give the position the value 0').waitFor();
  const rows = await page.getByRole('region', { name: 'The moves of the position' }).locator('tbody tr').allInnerTexts();
  const of = (move) => rows.find((row) => row.startsWith(move)).split(/\t/);
  assert.deepEqual(of('c2'), ['c2', '0', '0', 'equal']);
  for (const move of ['a3', 'b3']) assert.deepEqual(of(move), [move, '−1', '≤ 0', 'a bound: not compared']);
  // Left to themselves minimax would look three plies ahead here and alpha-beta four.
  await page.goto(lab('tree', { game: 'othello:size=6', bot: 'alpha-beta', view: 'compare' }));
  await page.locator('[data-compared="same"]').waitFor({ timeout: 60_000 });
  await page.getByRole('heading', { name: 'searched by both to depth 4' }).waitFor();
  const minimax = await printed('analyse', 'othello:size=6', '--bot', 'minimax:depth=4', '--json');
  await page.locator(`[data-bot="minimax"][data-nodes="${minimax.nodes}"]`).waitFor();
  // A search that was stopped has nothing to compare.
  await page.goto(lab('tree', { game: 'othello:size=6', bot: 'alpha-beta:depth=4,deepening=off,nodes=50', view: 'compare' }));
  await page.locator('[data-compared="stopped"]').waitFor({ timeout: 60_000 });
  await page.getByText('A search was stopped before its end').waitFor();
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test('the lab draws every preset that searches a tree, in every game', async () => {
  const page = await world.page();
  const { games } = await (await page.request.get('/api/catalog')).json();
  for (const game of games) {
    const presets = game.bots.filter((bot) => bot.searches_tree && bot.name.startsWith('report-'));
    assert.ok(presets.length > 0, game.name);
    for (const preset of presets) {
      await page.goto(lab('tree', { game: game.name, bot: 'alpha-beta:depth=2' }));
      await searched(page);
      await page.getByLabel('Algorithm').selectOption(preset.name);
      await page.waitForURL(new RegExp(`bot=${preset.name}`));
      await searched(page);
      await page.locator('.node[data-best]').nth(1).waitFor();
      await page.locator('.words', { hasText: /Chosen: \S+, worth \S+\. Best play: / }).waitFor();
      assert.equal(await page.getByText('Minimax and alpha-beta', { exact: true }).count(), 0, 'it cannot be searched in other ways');
    }
  }
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test('nodes, leaves and cuts are one number on the page, of papan tree and of papan analyse, in every game', async () => {
  const page = await world.page();
  for (const [game, bot] of [
    ['tic-tac-toe', 'alpha-beta'],
    ['adjacency:rounds=4', 'alpha-beta:depth=2,order=evaluation'],
    ['dots-and-boxes:rows=2,cols=2', 'minimax:depth=3'],
    ['othello', 'alpha-beta:depth=4'],
  ]) {
    await page.goto(lab('tree', { game, bot }));
    await searched(page);
    const counts = page.locator('[data-nodes]').first();
    const tree = await printed('tree', game, '--bot', bot, '--json');
    const analysis = await printed('analyse', game, '--bot', bot, '--json');
    for (const name of ['nodes', 'leaves', 'cuts']) {
      const shown = Number(await counts.getAttribute(`data-${name}`));
      assert.deepEqual([tree[name], analysis[name]], [shown, shown], `${game}: ${name}`);
      assert.ok((await counts.innerText()).includes(shown.toLocaleString('en-GB')));
    }
  }
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test('half a million nodes are explored piece by piece; only what is open is on the page', async () => {
  const page = await world.page();
  await page.goto(lab('tree', { game: 'tic-tac-toe', bot: 'minimax' }));
  await page.getByText('549,946 nodes, 255,168 leaves, 0 cuts').waitFor();
  // The root, its nine moves, and best play to its end.
  await page.getByText('shown 18 of 549,946 nodes').waitFor();
  await page.getByRole('treeitem', { name: /^MIN, b2/ }).click();
  await page.getByText('shown 26 of 549,946 nodes').waitFor();
  await page.getByRole('button', { name: 'Open a layer' }).click();
  await page.locator('[data-shown="82"]').waitFor();
  for (const step of [777_777, 12, 1_099_890]) {
    await page.getByLabel('Step', { exact: true }).fill(String(step));
    await atStep(page, step);
    await page.waitForURL(new RegExp(`step=${step}`));
  }
  assert.ok((await page.getByRole('treeitem').count()) < 400);
  await page.getByRole('treeitem', { name: /^MIN, b2/ }).hover();
  await page.getByText('The board after b2').waitFor();
  // Of broad nodes only what is near the search is shown, until more is wanted.
  await page.goto(lab('tree', { game: 'adjacency', bot: 'alpha-beta:depth=2', step: 100 }));
  await page.locator('[data-shown="23"]').waitFor();
  await page.getByRole('treeitem', { name: 'Show more of the 55 moves below a1' }).click();
  await page.locator('[data-shown="67"]').waitFor();
  await page.goto(lab('tree', { game: 'tic-tac-toe', bot: 'alpha-beta', step: 3000 }));
  await page.getByText('18,297 nodes, 7,330 leaves, 4,237 cuts').waitFor();
  await atStep(page, 3000);
  await page.locator('.words[data-kind="cut"]').waitFor();
  await keep(page, 'lab-tree');
  await page.getByText('Minimax and alpha-beta', { exact: true }).click();
  await page.locator('[data-bot="minimax"][data-nodes="549946"]').waitFor();
  await page.locator('[data-bot="alpha-beta"][data-nodes="18297"]').waitFor();
  const rows = await page.getByRole('region', { name: 'Nodes by ply, as a table' }).locator('tbody tr').allInnerTexts();
  assert.equal(rows.length, 10);
  assert.match(rows[9], /9\s+127,872\s+[\d,]+/);
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test('the effect of order and depth is measured, and every figure can be taken away', async () => {
  const page = await world.page();
  await page.goto(lab('tree', { game: 'othello:size=4', bot: 'alpha-beta:depth=3', view: 'effort' }));
  await page.locator('[data-measuring="false"]').waitFor({ timeout: 60_000 });
  const plot = page.locator('[data-plot="papan-depth"]');
  const save = async (name) => {
    const [download] = await Promise.all([page.waitForEvent('download'), plot.getByRole('button', { name }).click()]);
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
  };
  const csv = await save('CSV');
  assert.equal(csv.name, 'papan-depth.csv');
  const [head, ...rows] = csv.bytes.toString().trim().split('\n').map((line) => line.split(','));
  assert.deepEqual(head, ['Depth', 'minimax', 'alpha-beta']);
  for (const [depth, plain, pruned] of rows.slice(0, 4)) {
    const expected = await printed('analyse', 'othello:size=4', '--bot', `alpha-beta:depth=${depth}`, '--json');
    assert.equal(Number(pruned), expected.nodes);
    assert.ok(Number(pruned) <= Number(plain));
  }
  const svg = (await save('SVG')).bytes.toString();
  assert.ok(svg.startsWith('<svg') && svg.includes('alpha-beta') && !svg.includes('class='), 'its looks are written into it');
  assert.equal((await save('PNG')).bytes.subarray(1, 4).toString(), 'PNG');
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test('local searches: neighbours on the board, the step taken, local optima, temperature, variants side by side', async () => {
  const page = await world.page();
  await page.goto(lab('local', { game: 'adjacency', bot: 'hill-climbing:variant=random-restart,seed=3' }));
  const question = { game: 'adjacency', bot: 'hill-climbing:variant=random-restart,seed=3' };
  const { steps } = await ask(page, 'run', question);
  const optimum = steps.findIndex((step) => step.mark === 'optimum');
  await page.getByText(`Step 1 of ${steps.length}`).waitFor();
  await page.getByLabel('Steps', { exact: true }).first().fill(String(optimum));
  await page.locator('[data-mark="optimum"]').waitFor();
  await page.getByText(/a local optimum\.$/).waitFor();
  const values = new Map(steps[optimum].neighbours.map((each) => [each.move, each.value]));
  const board = page.locator('.look [role="grid"]');
  for (const [move, value] of values) {
    assert.match(await board.locator(`[data-move="${move}"]`).getAttribute('aria-label'), new RegExp(`, ${value.replace('+', '\\+')}$`));
  }
  await page.getByRole('heading', { name: 'The four variants side by side' }).waitFor();
  assert.equal(await page.locator('.small-board [role="grid"]').count(), 4);
  await page.goto(lab('local', { game: 'othello', bot: 'annealing:steps=200' }));
  await page.getByRole('heading', { name: 'Temperature over the steps' }).waitFor();
  await page.getByText('Step 1 of 200').waitFor();
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test('a genetic run with a fixed seed shows the same curve twice; settings change it live; a child is explained', async () => {
  const bot = 'genetic:population=12,generations=9,seed=5';
  const curves = [];
  for (let time = 0; time < 2; time += 1) {
    const page = await world.page();
    await page.goto(lab('genetic', { game: 'adjacency', bot, generation: 3 }));
    await page.locator('[data-plot="papan-genetic"] .line').first().waitFor();
    const curve = () => page.locator('[data-plot="papan-genetic"] .line').evaluateAll((lines) => lines.map((line) => line.getAttribute('d')).join());
    const table = page.getByRole('region', { name: 'Fitness over the generations, as a table' });
    assert.equal(await table.locator('tbody tr').count(), 9);
    curves.push(await curve(), await table.innerText());
    await page.getByRole('region', { name: 'Population of generation 3' }).waitFor();
    const { children } = await ask(page, 'run/generation', { game: 'adjacency', bot, n: 3 });
    const crossed = children.findIndex((child) => child.cut !== null && child.redrawn.length > 0);
    await page.getByLabel('How a child came to be', { exact: true }).fill(String(crossed));
    await page.locator(`[data-crossover="${children[crossed].cut}"]`).waitFor();
    await page.getByText(/^(Mutation|Repair): move/).first().waitFor();
    const before = await curve();
    await page.getByLabel('Random seed').fill('6');
    await page.waitForFunction((old) => [...document.querySelectorAll('[data-plot="papan-genetic"] .line')].map((line) => line.getAttribute('d')).join() !== old, before);
    assert.deepEqual(page.troubles, []);
    await page.context().close();
  }
  assert.deepEqual(curves.slice(2), curves.slice(0, 2));
});

test('Monte Carlo visits grow on the board', async () => {
  const page = await world.page();
  await page.goto(lab('mcts', { game: 'tic-tac-toe', bot: 'mcts:simulations=500,seed=2' }));
  await page.locator('[data-simulations="500"]').waitFor();
  const visits = async () => {
    const labels = await page.locator('.look [role="gridcell"]').evaluateAll((cells) => cells.map((cell) => cell.getAttribute('aria-label')));
    return labels.reduce((sum, label) => sum + Number(/, (\d+)$/.exec(label)?.[1] ?? 0), 0);
  };
  const all = await visits();
  assert.ok(all >= 490 && all <= 500, `${all} visits of root moves`);
  await page.getByLabel('Simulations', { exact: true }).last().fill('10');
  await page.waitForURL(/at=10/);
  assert.ok((await visits()) < all);
  await page.context().close();
});

const EXAMPLE = { 0: 4, 1: 4, 2: 4, 5: 6, 8: -3, 9: -3, 12: 7 };

async function fill(page, values) {
  for (const [node, value] of Object.entries(values)) await page.locator(`input[data-node="${node}"]`).fill(String(value));
}

test('the worked example of the report: solved wrong in each way, then right; a link shares an exercise', async () => {
  const page = await world.page();
  await page.goto('/lab/exercises?example=on');
  await page.getByRole('button', { name: /^Leaf/ }).first().waitFor();
  const leaves = await page.getByRole('button', { name: /^Leaf/ }).allInnerTexts();
  assert.deepEqual(leaves, ['−1', '4', '2', '6', '−3', '−5', '0', '7']);
  const verdict = async () => {
    await page.getByRole('button', { name: 'Check' }).click();
    return page.locator('[data-verdict]');
  };
  const says = async (kind, words) => {
    const answer = await verdict();
    await page.locator(`[data-verdict="${kind}"]`).waitFor();
    assert.match(await answer.innerText(), words);
  };
  await says('missing', /still missing/);
  await fill(page, { ...EXAMPLE, 8: 7 });
  await says('value', /7 is not right here: MIN takes the least of -3, 7/);
  assert.equal(await page.locator('input[data-node="8"]').getAttribute('aria-invalid'), 'true');
  await fill(page, EXAMPLE);
  await says('too_little', /Too little is skipped: MIN already has -3, alpha is 4/);
  await page.locator('button[data-node="13"]').click();
  await page.locator('button[data-node="14"]').click();
  await page.locator('button[data-node="7"]').click();
  await says('too_much', /Too much is skipped/);
  await page.locator('button[data-node="7"]').click();
  await says('right', /Everything is right/);
  await page.getByRole('link', { name: 'A harder one' }).click();
  await page.waitForURL(/difficulty=4/);
  const shared = await world.page({ locale: 'id-ID' });
  await shared.goto(page.url());
  await shared.getByRole('button', { name: /^Daun/ }).first().waitFor();
  await page.getByRole('heading', { level: 2, name: 'Exercise 1 of difficulty 4' }).waitFor();
  await page.locator('button[data-node="2"]').waitFor();
  const numbers = (each) => each.getByRole('button', { name: /^(Leaf|Daun)/ }).allInnerTexts();
  assert.deepEqual(await numbers(shared), await numbers(page));
  await shared.getByRole('button', { name: 'Periksa' }).click();
  await shared.getByText('Di sini masih ada nilai yang kosong.').waitFor();
  assert.deepEqual([...page.troubles, ...shared.troubles], []);
  await page.context().close();
  await shared.context().close();
});

test('an experiment is run, its report opened and printed in both languages; another is stopped inside a game', async () => {
  const page = await world.page();
  await page.goto('/lab/experiments?bot=alpha-beta&bot=random:seed=1&depths=1,2,3&games=4&positions=2');
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByRole('link', { name: 'Open in English' }).waitFor();
  for (const name of ['papan-nodes', 'papan-milliseconds', 'papan-branching', 'papan-strength']) await page.locator(`[data-plot="${name}"] svg`).waitFor();
  await assertAccessible(page, 'results of an experiment');
  await keep(page, 'lab-experiment');
  for (const [link, title, print] of [
    ['Open in English', 'Experiment: tic-tac-toe', 'How to get these figures again'],
    ['Open in Indonesian', 'Percobaan: tic-tac-toe', 'Cara memperoleh angka ini kembali'],
  ]) {
    const [report] = await Promise.all([page.context().waitForEvent('page'), page.getByRole('link', { name: link }).click()]);
    await report.getByRole('heading', { level: 1, name: title }).waitFor();
    await report.getByRole('heading', { name: print }).waitFor();
    assert.ok((await report.locator('svg').count()) >= 5, 'plots and final boards');
    const pdf = await report.pdf();
    assert.ok(pdf.subarray(0, 5).toString() === '%PDF-' && pdf.length > 10_000, `${pdf.length} bytes of PDF`);
    await report.close();
  }
  await page.goto('/lab/experiments?game=dots-and-boxes:rows=5,cols=5&bot=minimax&bot=random&depths=12&plies=58&positions=1&games=2');
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByText('2 of 3 measurements done').waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  // What was measured before the stop is kept, shown and marked as a part.
  await page.getByText('Partial: 2 of 3 measurements are done, and kept below.').waitFor();
  await page.locator('[data-plot="papan-nodes"] svg').waitFor();
  await assertAccessible(page, 'results of an experiment that was stopped');
  const csv = page.getByRole('link', { name: 'All figures (CSV)' });
  assert.equal(await csv.getAttribute('download'), 'papan-experiment-partial-2-of-3.csv');
  const figures = await (await page.request.get(await csv.getAttribute('href'))).text();
  assert.equal(figures.trim().split('\n').length, 3);
  for (const [link, words] of [
    ['Open in English', 'Partial: stopped after 2 of 3 measurements.'],
    ['Open in Indonesian', 'Sebagian: dihentikan setelah 2 dari 3 pengukuran.'],
  ]) {
    const [report] = await Promise.all([page.context().waitForEvent('page'), page.getByRole('link', { name: link }).click()]);
    await report.getByText(words).waitFor();
    await report.close();
  }
  await page.reload();
  await page.getByText('Partial: 2 of 3 measurements are done, and kept below.').waitFor();
  await page.getByLabel('Depths, separated by commas').fill('0, x');
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByText(/Depths are whole numbers/).waitFor();
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test('the lab with the keyboard alone', async () => {
  const page = await world.page();
  await page.goto('/lab');
  await searched(page);
  await tabTo(page, () => document.activeElement?.getAttribute('role') === 'treeitem');
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  assert.match(await focused(), /^MAX, the root, 0/);
  await page.keyboard.press('ArrowDown');
  assert.match(await focused(), /^MIN, a1, 0/);
  await page.getByText('The board after a1').waitFor();
  await page.keyboard.press('ArrowRight');
  assert.match(await focused(), /^MIN, b1/);
  await page.keyboard.press('Enter');
  await page.locator('[role="treeitem"][aria-expanded="true"][aria-level="2"][aria-label^="MIN, b1"]').waitFor();
  await page.keyboard.press('ArrowUp');
  assert.match(await focused(), /^MAX, the root/);
  await tabTo(page, () => document.activeElement?.getAttribute('aria-label') === 'First step');
  await page.keyboard.press('Enter');
  await atStep(page, 0);
  await page.keyboard.press(']');
  await atStep(page, 1);
  await page.keyboard.press('.');
  await page.locator('.words[data-kind="cut"]').waitFor();
  assert.match(await page.getByRole('status').first().innerText(), /skipped: (MIN|MAX) already has/, 'it is spoken');

  await page.goto('/lab/exercises?example=on');
  await page.locator('input[data-node="0"]').waitFor();
  await page.keyboard.press('Tab');
  for (let node = 0; node < 15; node += 1) {
    await tabTo(page, `Number(document.activeElement?.getAttribute('data-node') ?? -1) === ${node}`);
    if (EXAMPLE[node] !== undefined) await page.keyboard.type(String(EXAMPLE[node]));
    else if (node > 12) await page.keyboard.press('Space');
  }
  await page.keyboard.press('Tab');
  await tabTo(page, () => document.activeElement?.textContent === 'Check');
  await page.keyboard.press('Enter');
  await page.locator('[data-verdict="right"]').waitFor();
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test('what cannot be searched is said in words, and the lab goes on', async () => {
  const page = await world.page({ locale: 'id-ID' });
  await page.goto(lab('tree', { game: 'tic-tac-toe', bot: 'alpha-beta', position: 'XXX/OO./... O' }));
  await page.getByRole('alert').waitFor();
  await page.goto(lab('tree', { game: 'tic-tac-toe', bot: 'alpha-beta', position: 'nonsense' }));
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Posisi (kosong: posisi awal)').fill('');
  await page.keyboard.press('Enter');
  await page.getByText('18.297 simpul, 7.330 daun, 4.237 pemangkasan').waitFor();
  await page.getByRole('button', { name: 'Pemangkasan sebelumnya' }).click();
  await page.locator('.words', { hasText: /dilewati: (MIN|MAX) sudah punya/ }).waitFor();
  await page.goto('/lab/nothing');
  await page.getByRole('heading', { name: 'Tidak ada apa-apa di sini' }).waitFor();
  await page.context().close();
});
