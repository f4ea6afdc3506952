/** Analyses as they run: thoughts on the way, one result, stoppable at once. */

import { ApiError } from './client';
import type { Analysis, Thinking, Words } from './types';

export interface AnalysisRequest {
  game: string;
  position: string;
  bot: string | null;
  /** Such as `2s`. */
  time: string;
}

const BROKEN: Words = {
  en: 'The analysis was cut off. Is Papan still running? Press Analyse to try again.',
  id: 'Analisis terputus. Apakah Papan masih berjalan? Tekan Analisis untuk mencoba lagi.',
};

/** Resolves with the result; rejects with an `ApiError`, or an `AbortError` once stopped. */
export function analyse(
  request: AnalysisRequest,
  signal: AbortSignal,
  thought: (thinking: Thinking) => void = () => {},
): Promise<Analysis> {
  const query = new URLSearchParams({ game: request.game, position: request.position, time: request.time });
  if (request.bot) query.set('bot', request.bot);
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(stopped());
    const source = new EventSource(`/api/analyse?${query}`);
    const finish = (settle: () => void) => {
      source.close();
      signal.removeEventListener('abort', stop);
      settle();
    };
    const stop = () => finish(() => reject(stopped()));
    signal.addEventListener('abort', stop);
    source.addEventListener('thinking', (event) => thought(JSON.parse(event.data)));
    source.addEventListener('result', (event) => finish(() => resolve(JSON.parse(event.data))));
    // The server's own words come as an event with data; a lost connection has none.
    source.addEventListener('error', (event) => {
      const data = event instanceof MessageEvent ? String(event.data) : null;
      finish(() => reject(data === null ? new ApiError('broken', BROKEN) : refused(data)));
    });
  });
}

function refused(data: string): ApiError {
  const body = JSON.parse(data) as { error?: { code: string; message: Words }; code?: string; message?: Words };
  const error = body.error ?? body;
  return new ApiError(error.code ?? 'unexpected', error.message ?? BROKEN);
}

function stopped(): DOMException {
  return new DOMException('stopped', 'AbortError');
}

export const wasStopped = (error: unknown) => error instanceof DOMException && error.name === 'AbortError';
