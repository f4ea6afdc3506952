/**
 * A whole game looked at, one position after the other. What it finds is kept
 * apart from everything else that is known of the game, such as hints and
 * what bots thought: a review is the same whoever looks at it.
 */

import { review, type ReviewMethod, type ReviewSubject } from '../api/review';
import type { Words } from '../api/types';
import { evaluationOf } from './evaluation';
import { Evaluations } from './evaluations.svelte';
import { Latest } from './latest';

export class Review {
  done = $state(0);
  all = $state(0);
  running = $state(false);
  /** Is every position of the game looked at? */
  finished = $state(false);
  method: ReviewMethod | null = $state.raw(null);
  problem: Words | null = $state.raw(null);
  readonly evaluations = new Evaluations();
  readonly #latest = new Latest();

  async run(subject: ReviewSubject): Promise<void> {
    this.forgetFrom(0);
    this.running = true;
    await this.#latest.ask((signal) => review(subject, signal, this.#reader(signal)), {
      found: () => {
        this.running = false;
        this.finished = true;
      },
      failed: (words) => {
        this.running = false;
        this.problem = words;
      },
    });
  }

  stop(): void {
    this.#latest.stop();
    this.running = false;
  }

  /** Forgets what was found from `ply` on: the game goes on in another way there. */
  forgetFrom(ply: number): void {
    this.stop();
    this.evaluations.forgetFrom(ply);
    [this.done, this.all] = [0, 0];
    this.finished = false;
    this.problem = null;
    this.method = null;
  }

  #reader(signal: AbortSignal): Parameters<typeof review>[2] {
    return {
      begin: (positions, method) => {
        if (signal.aborted) return;
        this.all = positions;
        this.method = method;
      },
      position: (position) => {
        if (signal.aborted) return;
        this.evaluations.know(position.ply, evaluationOf(position));
        this.done += 1;
      },
    };
  }
}
