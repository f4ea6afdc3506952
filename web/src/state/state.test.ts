import { describe, expect, it } from 'vitest';
import type { GameInfo, OptionSpec } from '../api/types';
import { bestMove, costliest, type Evaluation, evaluationOf, forFirst, lean, lossOf, lossText, saysMore, signed } from './evaluation';
import { clock, count } from './format';
import { readMarkdown, readSpans } from './markdown';
import { memoryIn } from './memory';
import { botName, seatName } from './names';
import { analysePath, gamePath, readLine, readRoute } from './route';
import { defaultSetup, isComplete, readSetup, requestOf, writeSetup } from './setup';
import { shortcutOf } from './shortcuts';
import { explained, isValid, readOldNames, readSpec, writeSpec } from './spec';

const about = { en: 'about', id: 'tentang' };
const OPTIONS: OptionSpec[] = [
  { name: 'size', type: 'choice', values: ['4', '6', '8'], default: '8', about },
  { name: 'rounds', type: 'integer', min: 1, max: 28, default: 8, about },
  { name: 'misere', type: 'flag', default: false, about },
  { name: 'passing', type: 'flag', default: true, about },
  { name: 'time', type: 'time', about },
  { name: 'seed', type: 'integer', min: 0, max: 1e15, default: null, about },
];
const GAME: GameInfo = {
  name: 'some-game',
  title: about,
  about,
  rules: about,
  options: OPTIONS,
  bots: [
    { name: 'random', title: { en: 'Random', id: 'Acak' }, about, options: [], searches_tree: false },
    { name: 'engine', title: { en: 'Engine', id: 'Mesin' }, about, options: [{ name: 'level', type: 'integer', min: 1, max: 10, default: null, about }], searches_tree: false },
  ],
  engine_levels: 10,
  formats: [],
};

describe('specs', () => {
  it('round trip in the one canonical spelling', () => {
    for (const text of ['some-game', 'some-game:size=6', 'some-game:rounds=28,misere,time=5s', 'some-game:passing=off']) {
      expect(writeSpec(readSpec(text), OPTIONS)).toBe(text);
    }
    expect(writeSpec(readSpec('some-game: misere , rounds=8,size=6'), OPTIONS)).toBe('some-game:size=6,misere');
  });

  it('are read by their names of today where they have old ones', () => {
    readOldNames({ 'seed-minimax': 'report-minimax', 'order=captures': 'order=evaluation' });
    expect(readSpec(' seed-minimax :time=1s')).toEqual({ name: 'report-minimax', values: { time: '1s' } });
    expect(readSpec('alpha-beta:depth=2, order = captures')).toEqual({ name: 'alpha-beta', values: { depth: '2', order: 'evaluation' } });
    expect(readSpec('alpha-beta:order=random')).toEqual({ name: 'alpha-beta', values: { order: 'random' } });
    readOldNames({});
  });

  it('call choices in a description as the page does', () => {
    const word = (value: string) => `<${value}>`;
    expect(explained('How. chains: Boxes. report-chains: boxes (more).', ['chains', 'report-chains', 'boxes'], word)).toBe(
      'How. <chains>: Boxes. <report-chains>: <boxes> (more).',
    );
    expect(explained('none, all (swedish).', ['none', 'swedish'], word)).toBe('none, all (swedish).');
  });

  it('know which values are possible', () => {
    const [size, rounds, misere, , time, seed] = OPTIONS as [OptionSpec, OptionSpec, OptionSpec, OptionSpec, OptionSpec, OptionSpec];
    expect(isValid(size, '6')).toBe(true);
    expect(isValid(size, '7')).toBe(false);
    expect(['1', '28'].every((text) => isValid(rounds, text))).toBe(true);
    expect(['0', '29', '2.5', '', 'x'].some((text) => isValid(rounds, text))).toBe(false);
    expect(isValid(misere, 'on')).toBe(true);
    expect(['5s', '100ms', '1.5m', ''].every((text) => isValid(time, text))).toBe(true);
    expect(isValid(time, 'soon')).toBe(false);
    expect(isValid(seed, '')).toBe(true);
  });
});

describe('routes', () => {
  it('read every address of the page', () => {
    expect(readRoute('/', '')).toEqual({ screen: 'home' });
    expect(readRoute('/game/abc', '?ply=3&tab=bot')).toEqual({ screen: 'play', id: 'abc', ply: 3, tab: 'bot' });
    expect(readRoute('/game/abc', '?ply=x')).toEqual({ screen: 'play', id: 'abc', ply: null, tab: null });
    expect(readRoute('/join/abc/s%2F1', '')).toEqual({ screen: 'join', id: 'abc', secret: 's/1' });
    expect(readRoute('/about', '')).toEqual({ screen: 'about', game: null });
    expect(readRoute('/library', '?game=x')).toEqual({ screen: 'library', game: 'x' });
    expect(readRoute('/new/some-game', '').screen).toBe('new');
    for (const path of ['/nowhere', '/game', '/game/a/b', '/join/a', '/%E0%A4%A']) expect(readRoute(path, '').screen).toBe('missing');
  });

  it('carry a line of play whole', () => {
    const line = { game: 'some-game:size=6', position: '..X/.O. X', moves: ['h0,2', 'v1,1', 'pass'], ply: 1 };
    const url = new URL(analysePath(line), 'http://x');
    expect(readLine(url.searchParams)).toEqual(line);
    expect(readLine(new URLSearchParams('game=g&moves=a+b&ply=9'))?.ply).toBe(2);
    expect(readLine(new URLSearchParams())).toBeNull();
    expect(gamePath('a b', 2)).toBe('/game/a%20b?ply=2');
    expect(gamePath('a', null, 'bot')).toBe('/game/a?tab=bot');
  });
});

describe('evaluations', () => {
  const evaluation = (part: Partial<Evaluation>): Evaluation => ({
    toMove: 'first', value: 0, exact: true, depth: 1, best: [], moves: [], pv: [], lines: [], nodes: 1, ...part,
  });

  it('show a sign that can be read, and a decided game by its margin', () => {
    expect([2, 0, -3, 1_000_002, -1_000_010].map(signed)).toEqual(['+2', '0', '−3', '+2', '−10']);
  });

  it('are seen from the first player’s chair in the graph', () => {
    expect(forFirst({ toMove: 'second', value: 4 })).toBe(-4);
    expect(Object.is(forFirst({ toMove: 'second', value: 0 }), -0)).toBe(false);
  });

  it('measure what a move gave away, from its own value or the next position', () => {
    const before = evaluation({ value: 3, moves: [{ move: 'a', value: 3, exact: true }, { move: 'b', value: -1, exact: true }] });
    expect(lossOf(before, 'b', null)?.size).toBe(4);
    expect(lossOf(before, 'a', null)?.size).toBe(0);
    expect(lossOf(before, 'c', null)).toBeNull();
    expect(lossOf(before, 'c', evaluation({ toMove: 'second', value: 2 }))?.size).toBe(5);
    expect(lossOf(before, 'c', evaluation({ toMove: 'first', value: 2 }))?.size).toBe(1);
    expect(lossOf({ ...before, best: ['b'] }, 'b', null)?.size).toBe(0);
  });

  it('call a loss exact only if both values are', () => {
    const moves = [{ move: 'a', value: 3, exact: true }, { move: 'b', value: -1, exact: false }, { move: 'c', value: -2, exact: true, bound: 'at_most' as const }];
    const before = evaluation({ value: 3, moves });
    expect(['a', 'b', 'c'].map((move) => lossOf(before, move, null)?.exact)).toEqual([true, false, false]);
    expect(lossOf({ ...before, exact: false }, 'a', null)?.exact).toBe(false);
    // Estimates of two looks are of different depths: nothing can be said.
    expect(lossOf(before, 'd', evaluation({ toMove: 'second', exact: false }))).toBeNull();
    expect(lossOf({ ...before, exact: false }, 'd', evaluation({ toMove: 'second' }))).toBeNull();
  });

  it('take a bound for a bound', () => {
    const moves = [{ move: 'a', value: 3, exact: true }, { move: 'b', value: 1, exact: false, bound: 'at_most' as const }, { move: 'c', value: 3, exact: false, bound: 'at_most' as const }];
    const before = evaluation({ value: 3, moves });
    expect(lossOf(before, 'b', null)).toEqual({ size: 2, exact: false, atLeast: true });
    expect(lossOf(before, 'c', null)).toBeNull();
    // What is proved of the next position says more.
    expect(lossOf(before, 'c', evaluation({ toMove: 'second', value: 2 }))).toEqual({ size: 5, exact: true });
    expect(lossText({ size: 2, exact: false, atLeast: true })).toBe('≥ 2');
  });

  it('lean to the leader, small margins visibly, and never beyond the ends', () => {
    expect([1, -1, 0, 5, 1_000_001].map((value) => lean(value, 1))).toEqual([1, -1, 0, 1, 1]);
    expect(lean(4, 64)).toBe(0.25);
    expect(lean(-16, 64)).toBe(-0.5);
  });

  it('are replaced only by what says at least as much', () => {
    const moves = [{ move: 'a', value: 3, exact: true }];
    expect(saysMore(evaluation({}), undefined)).toBe(true);
    expect(saysMore(evaluation({ exact: false, moves }), evaluation({}))).toBe(false);
    expect(saysMore(evaluation({}), evaluation({ exact: false, moves }))).toBe(true);
    expect(saysMore(evaluation({}), evaluation({ moves }))).toBe(false);
    expect(saysMore(evaluation({ moves }), evaluation({ moves }))).toBe(true);
  });

  it('count the whole margin where a value counts only what is to come', () => {
    const found = evaluationOf({
      game: 'g', position: 'p', to_move: 'first', value: 1, final: 4, exact: true, best: ['a'],
      moves: [{ move: 'a', value: 1, final: 4, exact: true }, { move: 'b', value: 3, final: 3, exact: false }], nodes: 1, seconds: 1, depth: 1, pv: ['a'],
    });
    expect([found.value, ...found.moves.map((entry) => entry.value)]).toEqual([4, 4, 3]);
    expect(bestMove(found)).toBe('a');
  });

  it('have the best move that was told, not one with a higher number, and no value where none is known', () => {
    const told = { game: 'g', position: 'p', to_move: 'first' as const, exact: false, nodes: 1, seconds: 1, depth: 1, pv: ['a'] };
    const moves = [{ move: 'a', value: 0, exact: false }, { move: 'b', value: 3, exact: false }, { move: 'c', value: null, exact: false }];
    const found = evaluationOf({ ...told, value: null, best: ['a'], moves });
    expect([bestMove(found), found.moves.length, found.value, forFirst(found)]).toEqual(['a', 2, null, null]);
    expect(lossOf(found, 'b', null)).toBeNull();
    expect(bestMove({ ...found, best: [] })).toBeUndefined();
  });

  it('find the costliest moves with what was better', () => {
    const values = (best: string, played: string, loss: number) =>
      evaluation({ value: loss, best: [best], moves: [{ move: best, value: loss, exact: true }, { move: played, value: 0, exact: true }] });
    const moves = ['a', 'b', 'c', 'd'].map((move) => ({ move, by: 'first' as const }));
    const found = costliest(moves, [values('x', 'a', 1), null, values('y', 'c', 5), values('z', 'd', 0)], 3);
    expect(found.map(({ ply, move, better, loss }) => [ply, move, better, loss.size])).toEqual([[3, 'c', 'y', 5], [1, 'a', 'x', 1]]);
  });
});

describe('a new game', () => {
  it('keeps its settings through an address', () => {
    const setup = readSetup(GAME, new URLSearchParams('game=some-game:size=6&first=bot random&second=person Ana B&clock=5m+2s&position=..X'));
    expect(setup).toMatchObject({
      values: { size: '6' },
      position: '..X',
      seats: [{ kind: 'bot', spec: 'random' }, { kind: 'person', name: 'Ana B' }],
    });
    expect(readSetup(GAME, writeSetup(GAME, setup))).toEqual(setup);
    const timed = readSetup(GAME, new URLSearchParams({ clock: '3m+2s' }));
    expect(timed.clock).toMatchObject({ kind: 'game', minutes: 3, increment: 2 });
    expect(readSetup(GAME, writeSetup(GAME, timed))).toEqual(timed);
    expect(writeSetup(GAME, defaultSetup(GAME)).size).toBe(0);
  });

  it('becomes a request, with a name for whoever gave none', () => {
    const request = requestOf(GAME, defaultSetup(GAME), 'You');
    expect(request.seats).toEqual([{ kind: 'person', name: 'You' }, { kind: 'bot', spec: 'engine:level=3', name: null }]);
    expect(request.clock).toEqual({ kind: 'none' });
    const timed = requestOf(GAME, readSetup(GAME, new URLSearchParams({ clock: '1.5s' })), 'You');
    expect(timed.clock).toEqual({ kind: 'move', ms: 1500 });
  });

  it('is complete only if every value is possible', () => {
    const setup = defaultSetup(GAME);
    expect(isComplete(GAME, setup)).toBe(true);
    expect(isComplete(GAME, { ...setup, values: { rounds: '99' } })).toBe(false);
    expect(isComplete(GAME, { ...setup, seats: [setup.seats[0], { kind: 'bot', name: '', spec: 'nobody' }] })).toBe(false);
    expect(isComplete(GAME, { ...setup, clock: { ...setup.clock, kind: 'move', seconds: NaN } })).toBe(false);
  });
});

describe('small things', () => {
  it('clocks and counts are short', () => {
    expect([151_000, 9_940, 0, -5, 3_661_000].map(clock)).toEqual(['2:31', '0:09.9', '0:00.0', '0:00.0', '1:01:01']);
    expect([62, 940_000, 2_100_000].map((number) => count(number, 'en-GB'))).toEqual(['62', '940 k', '2.1 M']);
  });

  it('Markdown becomes blocks and spans', () => {
    const blocks = readMarkdown('# Title\n\nA *b* **c** `d`\nmore\n\n- one\n  goes on\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n1. x\n2. y');
    expect(blocks.map((block) => block.kind)).toEqual(['heading', 'paragraph', 'list', 'table', 'list']);
    expect(blocks[2]).toMatchObject({ ordered: false, items: [[{ text: 'one goes on' }], [{ text: 'two' }]] });
    expect(readSpans('a **b** `c*`').map((span) => span.kind)).toEqual(['text', 'strong', 'text', 'code']);
  });

  it('memory works with, without and with broken storage', () => {
    const broken = { getItem: () => { throw new Error(); }, setItem: () => { throw new Error(); } } as unknown as Storage;
    for (const storage of [null, broken]) {
      const memory = memoryIn(storage);
      expect(memory.get('a', 1)).toBe(1);
      memory.set('a', 2);
      expect(memory.get('a', 1)).toBe(2);
    }
  });

  it('names people and bots', () => {
    const word = (name: string) => (name === 'depth' ? { en: 'Depth', id: 'Kedalaman' } : { en: name, id: name });
    expect(botName(GAME.bots[1], 'engine:level=6', word).en).toBe('Engine 6');
    expect(botName(undefined, 'x:depth=4', word).id).toBe('x (kedalaman 4)');
    const words = { you: 'You', friend: 'Friend' };
    expect(seatName({ kind: 'person', name: '', spec: null }, true, words, '')).toBe('You');
    expect(seatName({ kind: 'bot', name: '', spec: 'x' }, false, words, 'X bot')).toBe('X bot');
  });

  it('shortcuts leave letters and digits alone', () => {
    const keys = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
    for (const key of 'abcdefghijklmnopqrstuvwxyz0123456789') expect(shortcutOf({ ...keys, key })).toBeNull();
    expect(shortcutOf({ ...keys, key: '?' })).toBe('help');
    expect(shortcutOf({ ...keys, key: 'Z', ctrlKey: true, shiftKey: true })).toBe('redo');
  });
});
