/**
 * The board after an earlier move of a game, fetched when it is looked at.
 * `board` is always what it says it is: while another one is on its way, or
 * did not arrive, it stays the one before, with its own ply and points.
 */

import { boards } from '../api/client';
import type { Board, BoardLine, MoveEntry, Scene, Words } from '../api/types';
import { withDrawers } from '../board/changes';
import { Latest } from './latest';

export type Played = Pick<MoveEntry, 'move' | 'by'>;
export type DrawnBoard = Board & { scene: Scene };

interface Wanted {
  game: string;
  start: string;
  moves: Played[];
}

const textOf = (wanted: Wanted) => [wanted.game, wanted.start, ...wanted.moves.map((played) => played.move)].join(' ');

/** An answer that is of another board than the one that was asked for. */
export const OTHER_BOARD: Words = {
  en: 'Papan answered with another board than the one that was asked for. Please try again.',
  id: 'Papan menjawab dengan papan lain dari yang diminta. Silakan coba lagi.',
};

/** The last board of an answer, if it is the one after these moves. */
export function boardAfter(line: BoardLine, moves: Played[]): DrawnBoard | null {
  const board = line.boards.at(-1);
  if (!board?.scene || board.ply !== moves.length || board.move !== (moves.at(-1)?.move ?? null)) return null;
  return { ...board, scene: withDrawers(board.scene, moves) };
}

export class PastBoard {
  board: DrawnBoard | null = $state.raw(null);
  problem: Words | null = $state.raw(null);
  #wanted: Wanted | null = null;
  #known = new Map<string, DrawnBoard>();
  readonly #latest = new Latest();

  /** Shows the board after these moves as soon as it is here. */
  show(game: string, start: string, moves: Played[]): void {
    this.#wanted = { game, start, moves };
    this.problem = null;
    const known = this.#known.get(textOf(this.#wanted));
    if (!known) return this.#fetch(this.#wanted);
    this.#latest.stop();
    this.board = known;
  }

  /** Asks once more for a board that did not arrive. */
  retry(): void {
    if (!this.#wanted) return;
    this.problem = null;
    this.#fetch(this.#wanted);
  }

  /** Nobody looks back any more. */
  leave(): void {
    this.#latest.stop();
    this.#wanted = null;
    this.board = null;
    this.problem = null;
  }

  #fetch(wanted: Wanted): void {
    const { game, start, moves } = wanted;
    const line = moves.map((played) => played.move);
    void this.#latest.ask((signal) => boards(game, start, line, 'last', signal), {
      found: (answer) => {
        const board = boardAfter(answer, moves);
        if (!board) return void (this.problem = OTHER_BOARD);
        this.#known.set(textOf(wanted), board);
        this.board = board;
      },
      failed: (words) => (this.problem = words),
    });
  }
}
