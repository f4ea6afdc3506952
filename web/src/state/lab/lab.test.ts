import { describe, expect, it } from 'vitest';
import type { NodeView } from '../../api/lab';
import { compared } from './compare';
import { type Branch, BORDER, COLUMN, layOut, ROW } from './layout';
import { readExperiment, readNumbers, writeExperiment } from './experiment';
import { csvOf, scale, short, spanOf, tableOf, thinned } from './plot';
import { questionText, readQuestion, writeQuestion } from './question';

const leaf = (key: number, ply: number): Branch<number> => ({ key, ply, children: [], skipped: false, more: false });

describe('a tree laid out', () => {
  const tree: Branch<number> = {
    key: 0,
    ply: 0,
    skipped: false,
    more: false,
    children: [{ key: 1, ply: 1, children: [leaf(2, 2), leaf(3, 2)], skipped: true, more: false }, leaf(4, 1)],
  };

  it('stands above the middle of what is below it, and nothing stands on anything', () => {
    const { spots, skipped, width, height } = layOut([tree]);
    const at = (key: number) => spots.get(key) ?? { x: NaN, y: NaN };
    expect(at(2).x).toBeLessThan(at(3).x);
    expect(skipped.get(1)?.x).toBeGreaterThan(at(3).x);
    expect(at(1).x).toBe((at(2).x + (skipped.get(1)?.x ?? 0)) / 2);
    expect(at(0).x).toBe((at(1).x + at(4).x) / 2);
    expect(at(4).x - (skipped.get(1)?.x ?? 0)).toBe(COLUMN);
    expect([at(0).y, at(1).y, at(2).y]).toEqual([BORDER, BORDER + ROW, BORDER + 2 * ROW]);
    expect(width).toBe(4 * COLUMN + 2 * BORDER);
    expect(height).toBe(2 * ROW + 2 * BORDER);
  });

  it('has room for what is not fetched yet', () => {
    const { more, spots } = layOut([{ ...tree, children: [leaf(1, 1)], more: true }]);
    expect((more.get(0)?.x ?? 0) - (spots.get(1)?.x ?? 0)).toBe(COLUMN);
  });
});

describe('minimax beside alpha-beta', () => {
  const node = (move: string, value: string, bound: NodeView['bound']) => ({ move, value, bound }) as NodeView;

  it('compares values with values, and bounds with nothing', () => {
    const minimax = [node('a1', '−1', 'exact'), node('b1', '0', 'exact'), node('c1', '−1', 'exact'), node('a2', '+1', 'exact')];
    const alphaBeta = [node('b1', '0', 'exact'), node('a1', '≤ 0', 'at_most'), node('a2', '0', 'exact')];
    expect(compared(minimax, alphaBeta)).toEqual([
      { move: 'a1', minimax: '−1', alphaBeta: '≤ 0', result: 'bound' },
      { move: 'b1', minimax: '0', alphaBeta: '0', result: 'same' },
      { move: 'c1', minimax: '−1', alphaBeta: '–', result: 'missing' },
      { move: 'a2', minimax: '+1', alphaBeta: '0', result: 'different' },
    ]);
  });
});

describe('plots', () => {
  it('have round ticks inside what they span', () => {
    const up = scale([0, 9], [0, 90], false, 5);
    expect(up.ticks).toEqual([0, 2, 4, 6, 8]);
    expect(up(4.5)).toBe(45);
    const log = scale([1, 1000], [0, 30], true, 5);
    expect(log.ticks).toEqual([1, 10, 100, 1000]);
    expect(log(100)).toBeCloseTo(20);
  });

  it('span what they show, whatever it is', () => {
    expect(spanOf([], true)).toEqual([1, 10]);
    expect(spanOf([], false)).toEqual([0, 1]);
    expect(spanOf([5, 5], false)).toEqual([4, 6]);
    expect(spanOf([-3, 8], false)).toEqual([-3, 8]);
    expect(spanOf([7, 18_297], true)).toEqual([1, 100_000]);
    expect(spanOf([1, 1], true)).toEqual([1, 10]);
  });

  it('are tables with a column a line, also where a line has no value', () => {
    const series = [
      { name: 'a', points: [{ x: 2, y: 4 }, { x: 1, y: 1 }] },
      { name: 'b', points: [{ x: 3, y: 9 }] },
    ];
    expect(tableOf(series)).toEqual([
      { x: 1, values: [1, null] },
      { x: 2, values: [4, null] },
      { x: 3, values: [null, 9] },
    ]);
  });

  it('are CSV that any sheet reads', () => {
    expect(csvOf(['n', 'what'], [[1, 'a,b'], [2, 'say "x"'], [null, '']])).toBe('n,what\n1,"a,b"\n2,"say ""x"""\n,\n');
  });

  it('keep the last point when they are thinned out', () => {
    const many = Array.from({ length: 1001 }, (_, index) => index);
    expect(thinned(many, 11)).toEqual([0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000]);
    expect(thinned([1, 2], 10)).toEqual([1, 2]);
  });

  it('say large numbers shortly', () => {
    expect([short(549_946, 'en-GB'), short(9, 'en-GB'), short(0.125, 'en-GB')]).toEqual(['550 k', '9', '0.125']);
  });
});

it('a question survives its address, and steps do not change it', () => {
  const question = { game: 'othello:size=6', position: null, bot: 'alpha-beta:depth=4,order=random' };
  const query = writeQuestion(question, { step: 12, view: null });
  expect(query.get('step')).toBe('12');
  const usual = { game: 'x', bot: 'y' };
  expect(readQuestion(questionText(query, usual))).toEqual(question);
  expect(questionText(query, usual)).toBe(questionText(writeQuestion(question, { step: 13 }), usual));
});

describe('an experiment in its address', () => {
  it('survives it', () => {
    const wanted = { game: 'othello:size=6', bots: ['minimax', 'random:seed=2'], depths: [1, 3], positions: 7, plies: 0, games: 4, seeds: [0, 9] };
    expect(readExperiment(writeExperiment(wanted, 'abc'))).toEqual(wanted);
  });

  it('is a usual one where the address says nothing or nonsense', () => {
    expect(readExperiment(new URLSearchParams('depths=a,b&positions=-1&seeds=x'))).toEqual(readExperiment(new URLSearchParams()));
  });

  it('takes numbers as people write them', () => {
    expect([readNumbers('1, 2 3;4', 1), readNumbers('0', 1), readNumbers('1.5', 1), readNumbers('', 1)]).toEqual([[1, 2, 3, 4], null, null, []]);
  });
});
