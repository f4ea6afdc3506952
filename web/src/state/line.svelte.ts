/** A line of play under analysis: its boards, and what is known of each. */

import { analyse, wasStopped } from '../api/analyse';
import { boards, wordsOf } from '../api/client';
import type { Board, BoardLine, Thinking, Words } from '../api/types';
import { evaluationOf } from './evaluation';
import { Evaluations } from './evaluations.svelte';
import { Latest } from './latest';
import { boardAfter, type DrawnBoard, OTHER_BOARD, type Played } from './past.svelte';
import { Review } from './review.svelte';
import type { Line } from './route';

export interface AnalysisChoice {
  bot: string | null;
  time: string;
}

export class LineState {
  /** The boards of the line that are here, by ply. */
  boards: Board[] = $state.raw([]);
  start = $state('');
  /**
   * The board on the screen. It is always what it says it is: while another
   * one is on its way, or did not arrive, it stays the one before.
   */
  shown: DrawnBoard | null = $state.raw(null);
  /** Is that the board that is asked for? */
  current = $state(false);
  problem: Words | null = $state.raw(null);
  thinking: Thinking | null = $state.raw(null);
  running = $state(false);
  /** No margin of this game is beyond plus or minus this. */
  bound = $state(1);
  readonly evaluations = new Evaluations();
  readonly review = new Review();

  #line: Line | null = null;
  /** Whether all boards of the line are here, or on their way. */
  #whole: 'here' | 'asked' | null = null;
  #drawn = new Map<number, DrawnBoard>();
  #stop = new AbortController();
  readonly #boards = new Latest();
  readonly #board = new Latest();

  /** Follows the address: loads what changed, keeps what is still true. */
  follow(line: Line): void {
    const before = this.#line;
    const shared = before ? sharedMoves(before, line) : -1;
    const same = before !== null && shared === line.moves.length && shared === before.moves.length;
    if (!same || before.ply !== line.ply) this.stop();
    if (before?.game !== line.game) this.shown = null;
    if (!same) this.#forgetAfter(shared);
    this.#line = line;
    this.#fetch(line);
  }

  /** Asks once more for what did not arrive. */
  retry(): void {
    if (this.#line) this.#fetch(this.#line);
  }

  board(ply: number): Board | undefined {
    return this.boards[ply];
  }

  /** What is known of the position after `ply` moves. */
  evaluation(ply: number) {
    return this.evaluations.at(ply) ?? this.review.evaluations.at(ply);
  }

  async analyse(line: Line, choice: AnalysisChoice): Promise<void> {
    const board = this.boards[line.ply];
    if (!board || board.over) return;
    this.stop();
    const stop = new AbortController();
    this.#stop = stop;
    this.running = true;
    try {
      const request = { game: line.game, position: board.position, ...choice };
      await analyse(request, stop.signal, {
        thought: (thinking) => (this.thinking = thinking),
        result: (analysis) => {
          this.evaluations.know(line.ply, evaluationOf(analysis));
          if (this.#stop === stop) this.#rest();
        },
        line: (moves) => this.evaluations.addLine(line.ply, moves),
      });
    } catch (error) {
      if (!wasStopped(error)) this.problem = wordsOf(error);
    } finally {
      if (this.#stop === stop) this.#rest();
    }
  }

  stop(): void {
    this.#stop.abort();
    this.#rest();
  }

  /** Ends everything that is on its way. */
  close(): void {
    this.stop();
    this.review.stop();
    this.#boards.stop();
    this.#board.stop();
  }

  #rest(): void {
    this.running = false;
    this.thinking = null;
  }

  /** Asks for what is not here yet: all boards of the line, and the drawing of the one that is wanted. */
  #fetch(line: Line): void {
    this.problem = null;
    this.#board.stop();
    if (this.#whole === null) this.#askAll(line);
    const drawn = this.#drawn.get(line.ply);
    this.current = drawn !== undefined;
    if (drawn) this.shown = drawn;
    else if (this.#whole === 'here' || line.ply < line.moves.length) this.#askOne(line);
  }

  #askAll(line: Line): void {
    this.#whole = 'asked';
    void this.#boards.ask((signal) => boards(line.game, line.position, line.moves, 'last', signal), {
      found: (found) => {
        this.#whole = 'here';
        this.start = found.start;
        this.bound = found.bound;
        this.boards = found.boards;
        this.#draw(found, line.moves.length);
      },
      failed: (words) => {
        this.#whole = null;
        this.problem = words;
      },
    });
  }

  #askOne(line: Line): void {
    const { ply } = line;
    void this.#board.ask((signal) => boards(line.game, line.position, line.moves.slice(0, ply), 'last', signal), {
      found: (found) => this.#draw(found, ply),
      failed: (words) => (this.problem = words),
    });
  }

  /** Keeps the last board of an answer, and shows it if it is the one that is wanted now. */
  #draw(found: BoardLine, ply: number): void {
    const moves = found.boards.slice(1).map((board): Played => ({ move: board.move ?? '', by: board.by ?? 'first' }));
    const board = moves.length === ply ? boardAfter(found, moves) : null;
    if (!board) return void (this.problem = OTHER_BOARD);
    this.#drawn.set(ply, board);
    if (this.#line?.ply !== ply) return;
    this.shown = board;
    this.current = true;
  }

  /** The line goes on in another way after so many moves; before none of them (−1), it is another line. */
  #forgetAfter(ply: number): void {
    this.#boards.stop();
    this.#whole = null;
    for (const known of [...this.#drawn.keys()]) if (known > ply) this.#drawn.delete(known);
    this.boards = this.boards.slice(0, ply + 1);
    this.evaluations.forgetFrom(ply + 1);
    this.review.forgetFrom(ply + 1);
  }
}

/** How many moves two lines have in common; −1 if they do not even start alike. */
function sharedMoves(a: Line, b: Line): number {
  if (a.game !== b.game || a.position !== b.position) return -1;
  const differs = a.moves.findIndex((move, index) => move !== b.moves[index]);
  return differs < 0 ? a.moves.length : differs;
}
