import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Board, BoardLine } from '../api/types';
import { type Asked, heldAnswers, settled } from '../testing/answers';
import { cells } from '../testing/scenes';
import { Evaluations } from './evaluations.svelte';
import { Latest } from './latest';
import { LineState } from './line.svelte';
import { PastBoard, type Played } from './past.svelte';
import { poll } from './poll';
import { Review } from './review.svelte';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const MOVES: Played[] = ['a', 'b', 'c', 'd'].map((move, index) => ({ move, by: index % 2 === 0 ? 'first' : 'second' }));
const after = (ply: number) => MOVES.slice(0, ply);

/** What the server says of a line: each move is a point for whoever made it. */
function lineOf(moves: string[]): BoardLine {
  const boards = ['', ...moves].map((_, ply): Board => ({
    ply, position: `p${ply}`, scene: ply === moves.length ? cells('..') : null, points: [Math.ceil(ply / 2), Math.floor(ply / 2)], margin: 0,
    to_move: 'first', over: false, legal: [], status: [], move: moves[ply - 1] ?? null, by: ply === 0 ? null : 'first',
  }));
  return { game: 'g', start: 's', bound: 4, boards };
}
const give = (asked: Asked | undefined) => asked?.answer(lineOf(asked.body.moves));

describe('requests for one view', () => {
  it('are answered by the newest alone, in whatever order answers come', async () => {
    const latest = new Latest();
    const heard: string[] = [];
    const late: ((text: string) => void)[] = [];
    const signals: AbortSignal[] = [];
    const ask = () =>
      void latest.ask((signal) => new Promise<string>((resolve) => void (late.push(resolve), signals.push(signal))), {
        found: (text) => heard.push(text),
        failed: (words) => heard.push(words.en),
      });
    ask();
    ask();
    late[1]?.('new');
    await settled();
    late[0]?.('old');
    await settled();
    expect(heard).toEqual(['new']);
    expect(signals.map((signal) => signal.aborted)).toEqual([true, false]);
    ask();
    latest.stop();
    late[2]?.('unwanted');
    await settled();
    expect(heard).toEqual(['new']);
  });
});

describe('the board after an earlier move', () => {
  it('is the one that was asked for last, though answers come the other way round', async () => {
    const asked = heldAnswers();
    const past = new PastBoard();
    past.show('g', 's', after(3));
    past.show('g', 's', after(2));
    expect(asked[0]?.signal?.aborted).toBe(true);
    give(asked[1]);
    await settled();
    give(asked[0]);
    await settled();
    expect([past.board?.ply, past.board?.points]).toEqual([2, [1, 1]]);
    // It is known now: no second request.
    past.show('g', 's', after(1));
    past.show('g', 's', after(2));
    expect([past.board?.ply, asked.length]).toEqual([2, 3]);
  });

  it('stays the one before, under its own number, until the other is here', async () => {
    const asked = heldAnswers();
    const past = new PastBoard();
    past.show('g', 's', after(3));
    give(asked[0]);
    await settled();
    past.show('g', 's', after(2));
    await settled();
    expect([past.board?.ply, past.problem]).toEqual([3, null]);
  });

  it('says when it does not arrive, and comes when it is asked for again', async () => {
    const asked = heldAnswers();
    const past = new PastBoard();
    past.show('g', 's', after(3));
    asked[0]?.fail();
    await settled();
    expect([past.board, past.problem?.en]).toEqual([null, expect.stringContaining('cannot be reached')]);
    past.retry();
    give(asked[1]);
    await settled();
    expect([past.board?.ply, past.problem]).toEqual([3, null]);
  });

  it('is never another board than the one that was asked for', async () => {
    const asked = heldAnswers();
    const past = new PastBoard();
    past.show('g', 's', after(3));
    asked[0]?.answer(lineOf(['a', 'b']));
    await settled();
    expect([past.board, past.problem?.en]).toEqual([null, expect.stringContaining('another board')]);
    past.show('g', 's', after(2));
    asked[1]?.answer(lineOf(['a', 'x']));
    await settled();
    expect(past.board).toBeNull();
  });
});

describe('a line under analysis', () => {
  const line = (ply: number, moves = ['a', 'b', 'c', 'd']) => ({ game: 'g', position: null, moves, ply });

  it('shows the board that was asked for last', async () => {
    const asked = heldAnswers();
    const study = new LineState();
    study.follow(line(4));
    give(asked[0]);
    await settled();
    expect([study.shown?.ply, study.current]).toEqual([4, true]);
    study.follow(line(3));
    study.follow(line(2));
    expect([study.shown?.ply, study.current]).toEqual([4, false]);
    give(asked[2]);
    await settled();
    give(asked[1]);
    await settled();
    expect([study.shown?.ply, study.shown?.points, study.current]).toEqual([2, [1, 1], true]);
  });

  it('forgets the boards of a line that goes on in another way, and waits for the new ones', async () => {
    const asked = heldAnswers();
    const study = new LineState();
    study.follow(line(4));
    give(asked[0]);
    await settled();
    study.follow(line(3, ['a', 'b', 'x']));
    expect([study.board(2)?.move, study.board(3)]).toEqual(['b', undefined]);
    expect([study.shown?.move, study.current]).toEqual(['d', false]);
    give(asked[1]);
    await settled();
    expect([study.board(3)?.move, study.shown?.move, study.current]).toEqual(['x', 'x', true]);
  });

  it('says when a board does not arrive, and asks again', async () => {
    const asked = heldAnswers();
    const study = new LineState();
    study.follow(line(2));
    for (const request of asked) request.fail();
    await settled();
    expect([study.shown, study.current, study.problem?.en]).toEqual([null, false, expect.stringContaining('cannot be reached')]);
    study.retry();
    for (const request of asked.slice(2)) give(request);
    await settled();
    expect([study.shown?.ply, study.current, study.problem, study.boards.length]).toEqual([2, true, null, 5]);
  });

  it('drops what is thought of a position that is no longer shown', async () => {
    const asked = heldAnswers();
    const study = new LineState();
    study.follow(line(4));
    give(asked[0]);
    await settled();
    void study.analyse(line(4), { bot: null, time: '1s' });
    study.follow(line(3));
    expect([asked[1]?.signal?.aborted, study.running]).toEqual([true, false]);
  });
});

describe('polling', () => {
  it('goes on while there is news, and ends with its screen, a request on its way included', async () => {
    vi.useFakeTimers();
    const signals: AbortSignal[] = [];
    const stop = poll(async (signal) => signals.push(signal) < 3, 10);
    await vi.advanceTimersByTimeAsync(100);
    expect(signals.length).toBe(3);
    stop();

    let looks = 0;
    const leave = poll(async () => (looks += 1) > 0, 10);
    await vi.advanceTimersByTimeAsync(25);
    expect(looks).toBe(3);
    leave();
    await vi.advanceTimersByTimeAsync(100);
    expect(looks).toBe(3);
    expect(signals.every((signal) => signal.aborted)).toBe(true);
  });
});

describe('a review', () => {
  const position = (ply: number, value: number) =>
    `event: position\ndata: ${JSON.stringify({ ply, played: 'a', game: 'g', position: 'p', to_move: 'first', value, exact: true, best: [], moves: [], nodes: 9, depth: 1, pv: [] })}\n\n`;
  const BEGIN = 'event: begin\ndata: {"positions":2,"method":{"version":1,"bot":"engine","nodes":1000}}\n\n';
  const stream = (text: string) => vi.stubGlobal('fetch', async () => new Response(text));

  it('is kept apart from what else is known, and complete only at its end', async () => {
    const review = new Review();
    stream(BEGIN + position(0, 3) + position(1, -3) + 'event: end\ndata: {}\n\n');
    await review.run({ id: 'x' });
    expect([review.finished, review.running, review.done, review.all, review.method?.nodes]).toEqual([true, false, 2, 2, 1000]);
    const others = new Evaluations();
    others.know(0, { toMove: 'first', value: 99, exact: true, depth: 50, best: [], moves: [], pv: [], lines: [], nodes: 1 });
    expect(Evaluations.joined(review.evaluations, others).at(0)?.value).toBe(3);
  });

  it('that is cut off or refused says so and is not called complete', async () => {
    const review = new Review();
    stream(BEGIN + position(0, 3));
    await review.run({ id: 'x' });
    expect([review.finished, review.problem?.en]).toEqual([false, expect.stringContaining('cut off')]);
    stream('event: error\ndata: {"code":"bot_failed","message":{"en":"It failed.","id":"Gagal."}}\n\n');
    await review.run({ id: 'x' });
    expect([review.finished, review.done, review.problem?.id]).toEqual([false, 0, 'Gagal.']);
  });

  it('of a game that goes on in another way is not complete any more', async () => {
    const review = new Review();
    stream(BEGIN + position(0, 3) + position(1, -3) + 'event: end\ndata: {}\n\n');
    await review.run({ id: 'x' });
    review.forgetFrom(1);
    expect([review.finished, review.evaluations.at(0)?.value, review.evaluations.at(1)]).toEqual([false, 3, undefined]);
  });
});
