/** A line of play under analysis: its boards, and what is known of each. */

import { analyse, wasStopped } from '../api/analyse';
import { boards, wordsOf } from '../api/client';
import type { Board, Scene, Thinking, Words } from '../api/types';
import { withDrawers } from '../board/changes';
import { evaluationOf } from './evaluation';
import { Evaluations } from './evaluations.svelte';
import { Review } from './review.svelte';
import type { Line } from './route';

export interface AnalysisChoice {
  bot: string | null;
  time: string;
}

export class LineState {
  boards: Board[] = $state.raw([]);
  start = $state('');
  /** Scenes as they arrive, by ply. */
  scenes: Map<number, Scene> = $state.raw(new Map());
  problem: Words | null = $state.raw(null);
  thinking: Thinking | null = $state.raw(null);
  running = $state(false);
  /** No margin of this game is beyond plus or minus this. */
  bound = $state(1);
  readonly evaluations = new Evaluations();
  readonly review = new Review(this.evaluations);

  #line: Line | null = null;
  #stop = new AbortController();

  /** Follows the address: loads what changed, keeps what is still true. */
  async follow(line: Line): Promise<void> {
    const before = this.#line;
    this.#line = line;
    const same = before?.game === line.game && before.position === line.position;
    const shared = same ? sharedLength(before.moves, line.moves) : -1;
    if (!same || shared < line.moves.length || line.moves.length < before.moves.length) {
      if (shared < line.moves.length) this.#forgetAfter(shared);
      await this.#load(line);
    }
    if (this.#line === line && !this.scenes.has(line.ply)) await this.#loadScene(line);
  }

  board(ply: number): Board | undefined {
    return this.boards[ply];
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

  #rest(): void {
    this.running = false;
    this.thinking = null;
  }

  async #load(line: Line): Promise<void> {
    try {
      const found = await boards(line.game, line.position, line.moves);
      if (this.#line !== line) return;
      this.problem = null;
      this.start = found.start;
      this.bound = found.bound;
      this.boards = found.boards;
      for (const board of found.boards) if (board.scene) this.#keep(line, board.ply, board.scene);
    } catch (error) {
      if (this.#line === line) this.problem = wordsOf(error);
    }
  }

  async #loadScene(line: Line): Promise<void> {
    try {
      const found = await boards(line.game, line.position, line.moves.slice(0, line.ply));
      const scene = found.boards.at(-1)?.scene;
      if (scene && this.#line?.moves === line.moves) this.#keep(line, line.ply, scene);
    } catch (error) {
      this.problem = wordsOf(error);
    }
  }

  #keep(line: Line, ply: number, scene: Scene): void {
    const played = this.boards.slice(1, ply + 1).map((board) => ({ move: board.move ?? '', by: board.by ?? ('first' as const) }));
    const known = played.length === ply ? played : line.moves.slice(0, ply).map((move) => ({ move, by: 'first' as const }));
    this.scenes = new Map(this.scenes).set(ply, withDrawers(scene, known));
  }

  #forgetAfter(ply: number): void {
    this.scenes = new Map([...this.scenes].filter(([known]) => known <= ply));
    this.evaluations.forgetFrom(ply + 1);
  }
}

function sharedLength(a: string[], b: string[]): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1;
  return length;
}
