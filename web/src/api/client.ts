/** Plain requests to the server. Every failure is an `ApiError` with words for the player. */

import type {
  BoardLine,
  Catalog,
  GameView,
  JoinAnswer,
  NewGameAnswer,
  NewGameRequest,
  RematchRequest,
  Side,
  SummaryPage,
  Words,
} from './types';

export class ApiError extends Error {
  constructor(
    readonly code: string,
    readonly words: Words,
  ) {
    super(words.en);
  }
}

const UNREACHABLE: Words = {
  en: 'Papan cannot be reached. Is it still running? Start it again and reload this page.',
  id: 'Papan tidak dapat dihubungi. Apakah masih berjalan? Jalankan lagi lalu muat ulang halaman ini.',
};

function unexpected(status: number): Words {
  return {
    en: `Papan answered in an unexpected way (${status}). Please try again.`,
    id: `Papan menjawab dengan cara yang tak terduga (${status}). Silakan coba lagi.`,
  };
}

export const catalog = () => request<Catalog>('/api/catalog');
export const createGame = (body: NewGameRequest | RematchRequest) => post<NewGameAnswer>('/api/games', body);
export const game = (id: string) => request<GameView>(`/api/games/${encodeURIComponent(id)}`);
export const joinGame = (id: string, secret: string, name: string) =>
  post<JoinAnswer>(`/api/games/${encodeURIComponent(id)}/join`, { secret, name });

/** Forgets a game for good; only its maker's key does that. */
export async function deleteGame(id: string, token: string): Promise<void> {
  await checked(`/api/games/${encodeURIComponent(id)}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${token}` },
  });
}

export function games(cursor: string | null, limit: number, name: string | null, signal: AbortSignal): Promise<SummaryPage> {
  const query = new URLSearchParams({ limit: String(limit) });
  if (cursor) query.set('cursor', cursor);
  if (name) query.set('game', name);
  return request(`/api/games?${query}`, { signal });
}

/**
 * Boards along `moves`, the position before the first of them included. With
 * `last`, only the last one carries its scene.
 */
export const boards = (spec: string, position: string | null, moves: string[], scenes: 'all' | 'last' = 'last', signal?: AbortSignal) =>
  post<BoardLine>('/api/board', { game: spec, position, moves, scenes }, signal);

/** One change of a position, set up by hand. */
export type BoardChange = { place: { id: string } } | { to_move: Side } | { clear: true };

/** The position after a change, as a line without moves. */
export const editBoard = (spec: string, position: string | null, change: BoardChange) =>
  post<BoardLine>('/api/board/edit', { game: spec, position, ...change });

/** Boards of a pasted record in any notation. */
export const boardsOfRecord = (spec: string, record: string) =>
  post<BoardLine>('/api/board', { game: spec, record, scenes: 'last' });

export function recordUrl(id: string, format: string): string {
  return `/api/games/${encodeURIComponent(id)}/record?format=${format}`;
}

/** The record of a line that need not be a stored game. */
export function lineRecordUrl(spec: string, start: string, moves: string[], format: string): string {
  return `/api/record?${new URLSearchParams({ game: spec, position: start, moves: moves.join(' '), format })}`;
}

/** The text of an answer as it arrives; ends early, and tells the server so, once `signal` says stop. */
export async function* stream(url: string, signal: AbortSignal): AsyncGenerator<string> {
  const response = await checked(url, { signal });
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  try {
    for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
      yield decoder.decode(chunk.value, { stream: true });
    }
  } finally {
    void reader?.cancel().catch(() => {});
  }
}

export async function text(url: string, signal?: AbortSignal): Promise<string> {
  return (await checked(url, signal ? { signal } : {})).text();
}

export function boardPictureUrl(spec: string, position: string, last: string | null): string {
  const query = new URLSearchParams({ game: spec, position });
  if (last) query.set('last', last);
  return `/api/board.svg?${query}`;
}

export function post<T>(url: string, body: unknown, signal?: AbortSignal): Promise<T> {
  return request(url, {
    ...(signal ? { signal } : {}),
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

export async function request<T>(url: string, init?: RequestInit): Promise<T> {
  return (await checked(url, init)).json() as Promise<T>;
}

async function checked(url: string, init?: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, init);
  } catch (error) {
    if (init?.signal?.aborted) throw error;
    throw new ApiError('unreachable', UNREACHABLE);
  }
  if (response.ok) return response;
  const body = (await response.json().catch(() => null)) as {
    error?: { code?: string; message?: Words };
  } | null;
  throw new ApiError(body?.error?.code ?? 'unexpected', body?.error?.message ?? unexpected(response.status));
}

/** The words of any failure. */
export function wordsOf(error: unknown): Words {
  if (error instanceof ApiError) return error.words;
  const message = error instanceof Error ? error.message : String(error);
  return { en: message, id: message };
}
