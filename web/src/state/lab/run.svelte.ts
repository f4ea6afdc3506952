/** A local, genetic or Monte Carlo search that was run: the newest question wins. */

import { wasStopped } from '../../api/analyse';
import { wordsOf } from '../../api/client';
import { type Question, type Run, run } from '../../api/lab';
import type { Words } from '../../api/types';

/** Settings may change with every move of a slider: a run begins when they rest. */
const REST = 150;

export class RunState {
  value: Run | null = $state.raw(null);
  problem: Words | null = $state.raw(null);
  running = $state(false);

  /** Runs a question; call it in an effect, and its answer when the effect ends. */
  follow(question: Question): () => void {
    const stopper = new AbortController();
    this.running = true;
    const timer = setTimeout(() => void this.load(question, stopper.signal), this.value ? REST : 0);
    return () => {
      clearTimeout(timer);
      stopper.abort();
    };
  }

  async load(question: Question, signal: AbortSignal): Promise<void> {
    this.running = true;
    try {
      const found = await run(question, { signal });
      if (signal.aborted) return;
      this.value = found;
      this.problem = null;
    } catch (error) {
      if (wasStopped(error) || signal.aborted) return;
      this.value = null;
      this.problem = wordsOf(error);
    }
    this.running = false;
  }
}
