/** A board that plays itself slowly: random legal moves, one small request each. */

import { boards } from '../api/client';
import type { Board, Scene, Side } from '../api/types';
import { withDrawers } from '../board/changes';
import { mayMove } from './preferences.svelte';

const BETWEEN_MOVES = 2_600;
/** A finished game stays in sight for this long. */
const AT_THE_END = 6_000;

export class Demo {
  scene: Scene | null = $state.raw(null);
  lastMove: string | null = $state(null);
  #board: Board | null = null;
  #moves: { move: string; by: Side }[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #stop = new AbortController();

  constructor(
    private readonly game: string,
    /** How many moves are made before the board is first shown. */
    private readonly opening: number,
    startAfter: number,
  ) {
    void this.#begin(startAfter);
  }

  stop(): void {
    this.#stop.abort();
    clearTimeout(this.#timer);
  }

  async #begin(startAfter: number): Promise<void> {
    this.#moves = [];
    await this.#step(null);
    for (let move = 0; move < this.opening && !this.#stop.signal.aborted; move += 1) await this.#step(this.#pick(), false);
    this.#show();
    this.#wait(BETWEEN_MOVES + startAfter);
  }

  #wait(ms: number): void {
    if (this.#stop.signal.aborted) return;
    this.#timer = setTimeout(() => void this.#tick(), ms);
  }

  async #tick(): Promise<void> {
    // Nobody looks, or nothing may move: wait without asking the server.
    if (document.hidden || !mayMove()) return this.#wait(BETWEEN_MOVES);
    const move = this.#pick();
    if (move === null) return void this.#begin(0);
    await this.#step(move);
    this.#wait(this.#board?.over ? AT_THE_END : BETWEEN_MOVES);
  }

  #pick(): string | null {
    const legal = this.#board?.legal ?? [];
    return legal[Math.floor(Math.random() * legal.length)] ?? null;
  }

  async #step(move: string | null, show = true): Promise<void> {
    try {
      const line = await boards(this.game, this.#board && move ? this.#board.position : null, move ? [move] : [], 'last', this.#stop.signal);
      const board = line.boards.at(-1);
      if (!board?.scene) return;
      if (move && board.by) this.#moves.push({ move, by: board.by });
      this.#board = board;
      if (show) this.#show();
    } catch {
      // The start page works without its moving boards.
      this.stop();
    }
  }

  #show(): void {
    if (!this.#board?.scene) return;
    this.scene = withDrawers(this.#board.scene, this.#moves);
    this.lastMove = this.#moves.at(-1)?.move ?? null;
  }
}
