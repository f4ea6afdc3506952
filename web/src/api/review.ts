/** Reviews: every position of a game looked at, one event each, the same whenever it is asked for. */

import { ApiError } from './client';
import { events } from './events';
import type { Analysis, Words } from './types';

/** A game of this server by its id, or any line of moves. */
export type ReviewSubject = { id: string } | { game: string; position: string | null; moves: string[]; bot: string | null };

/** How a review is made: by whom, and how many positions are visited for each one (`null`: what the game asks for). */
export interface ReviewMethod {
  version: number;
  bot: string;
  nodes: number | null;
}

export type ReviewPosition = Analysis & { ply: number; played: string | null };

export interface ReviewReader {
  begin(positions: number, method: ReviewMethod): void;
  position(position: ReviewPosition): void;
}

const BROKEN: Words = {
  en: 'The review was cut off. Is Papan still running? Try again.',
  id: 'Ulasan terputus. Apakah Papan masih berjalan? Coba lagi.',
};

function urlOf(subject: ReviewSubject): string {
  if ('id' in subject) return `/api/games/${encodeURIComponent(subject.id)}/review`;
  const query = new URLSearchParams({ game: subject.game, moves: subject.moves.join(' ') });
  if (subject.position !== null) query.set('position', subject.position);
  if (subject.bot) query.set('bot', subject.bot);
  return `/api/review?${query}`;
}

/** Resolves once the review is complete; rejects with an `ApiError`, or an `AbortError` once stopped. */
export async function review(subject: ReviewSubject, signal: AbortSignal, reader: ReviewReader): Promise<void> {
  for await (const { name, data } of events(urlOf(subject), signal)) {
    if (name === 'begin') {
      const { positions, method } = JSON.parse(data) as { positions: number; method: ReviewMethod };
      reader.begin(positions, method);
    }
    if (name === 'position') reader.position(JSON.parse(data) as ReviewPosition);
    if (name === 'end') return;
    if (name === 'error') {
      const { code, message } = JSON.parse(data) as { code: string; message: Words };
      throw new ApiError(code, message);
    }
  }
  throw new ApiError('broken', BROKEN);
}
