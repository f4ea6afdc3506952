/** Analyses as they run: thoughts on the way, one result, stoppable at once. */

import { ApiError } from './client';
import { events } from './events';
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

/** Who wants to know what on the way. */
export interface AnalysisReader {
  thought?: (thinking: Thinking) => void;
  result?: (analysis: Analysis) => void;
  /** How play would go on after one of the best moves. Without it the stream ends with the result. */
  line?: (moves: string[]) => void;
}

/** Resolves with the result; rejects with an `ApiError`, or an `AbortError` once stopped. */
export async function analyse(request: AnalysisRequest, signal: AbortSignal, reader: AnalysisReader = {}): Promise<Analysis> {
  const query = new URLSearchParams({ game: request.game, position: request.position, time: request.time });
  if (request.bot) query.set('bot', request.bot);
  let found: Analysis | null = null;
  for await (const event of events(`/api/analyse?${query}`, signal)) {
    if (event.name === 'thinking') reader.thought?.(JSON.parse(event.data) as Thinking);
    if (event.name === 'line') reader.line?.(JSON.parse(event.data) as string[]);
    if (event.name === 'result') {
      found = JSON.parse(event.data) as Analysis;
      reader.result?.(found);
      if (!reader.line) return found;
    }
    if (event.name === 'error') throw refused(event.data);
  }
  if (found) return found;
  throw new ApiError('broken', BROKEN);
}

function refused(data: string): ApiError {
  const body = JSON.parse(data) as { error?: { code: string; message: Words }; code?: string; message?: Words };
  const error = body.error ?? body;
  return new ApiError(error.code ?? 'unexpected', error.message ?? BROKEN);
}

export const wasStopped = (error: unknown) => error instanceof DOMException && error.name === 'AbortError';
