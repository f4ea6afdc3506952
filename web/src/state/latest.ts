/**
 * Requests for one view, of which only the newest counts. Answers may come
 * late and in any order: an older request is stopped as soon as a newer one
 * begins, and nothing that it still says is heard.
 */

import { wordsOf } from '../api/client';
import type { Words } from '../api/types';

export interface Heard<T> {
  found(answer: T): void;
  failed(words: Words): void;
}

export class Latest {
  #stop = new AbortController();

  async ask<T>(request: (signal: AbortSignal) => Promise<T>, heard: Heard<T>): Promise<void> {
    this.#stop.abort();
    const stop = new AbortController();
    this.#stop = stop;
    try {
      const answer = await request(stop.signal);
      if (!stop.signal.aborted) heard.found(answer);
    } catch (error) {
      if (!stop.signal.aborted) heard.failed(wordsOf(error));
    }
  }

  /** Nobody wants the answer any more. */
  stop(): void {
    this.#stop.abort();
  }
}
