/** Answers of the server that a test holds back and gives in the order that it likes. */

import { vi } from 'vitest';

export interface Asked {
  url: string;
  body: { moves: string[] };
  signal: AbortSignal | undefined;
  answer(json: unknown): void;
  fail(): void;
}

/** Every request from now on waits in the list that is given back. */
export function heldAnswers(): Asked[] {
  const asked: Asked[] = [];
  vi.stubGlobal('fetch', (url: string, init: RequestInit = {}) => {
    return new Promise<Response>((resolve, reject) => {
      const signal = init.signal ?? undefined;
      signal?.addEventListener('abort', () => reject(new DOMException('stopped', 'AbortError')));
      asked.push({
        url,
        body: typeof init.body === 'string' ? JSON.parse(init.body) : {},
        signal,
        answer: (json) => resolve(new Response(JSON.stringify(json))),
        fail: () => reject(new TypeError('no network')),
      });
    });
  });
  return asked;
}

/** Lets everything that is ready happen. */
export const settled = () => new Promise((resolve) => setTimeout(resolve, 0));
