/** Goes over a whole game, one position after the other, and can be stopped at any time. */

import { analyse, wasStopped } from '../api/analyse';
import { boards, wordsOf } from '../api/client';
import type { Board, Words } from '../api/types';
import { type Evaluation, evaluationOf } from './evaluation';
import type { Evaluations } from './evaluations.svelte';

export interface ReviewRequest {
  game: string;
  position: string | null;
  moves: string[];
  bot: string | null;
  time: string;
}

/** A finished game is its own exact evaluation. */
function finished(board: Board): Evaluation {
  return { toMove: 'first', value: board.margin, exact: true, depth: 0, best: [], moves: [], pv: [], lines: [], nodes: 0 };
}

export class Review {
  done = $state(0);
  all = $state(0);
  running = $state(false);
  problem: Words | null = $state.raw(null);
  #stop = new AbortController();

  constructor(private readonly evaluations: Evaluations) {}

  async run(request: ReviewRequest): Promise<void> {
    this.#stop.abort();
    const stop = new AbortController();
    this.#stop = stop;
    this.problem = null;
    this.running = true;
    try {
      const line = await boards(request.game, request.position, request.moves);
      const open = line.boards.filter((board) => !board.over);
      for (const board of line.boards) if (board.over) this.evaluations.know(board.ply, finished(board));
      this.all = open.length;
      this.done = 0;
      for (const board of open) {
        await this.#look(request, board, stop.signal);
        this.done += 1;
      }
    } catch (error) {
      if (!wasStopped(error)) this.problem = wordsOf(error);
    } finally {
      if (this.#stop === stop) this.running = false;
    }
  }

  async #look(request: ReviewRequest, board: Board, signal: AbortSignal): Promise<void> {
    const { game, bot, time } = request;
    const analysis = await analyse({ game, bot, time, position: board.position }, signal);
    this.evaluations.know(board.ply, evaluationOf(analysis));
  }

  stop(): void {
    this.#stop.abort();
    this.running = false;
  }
}
