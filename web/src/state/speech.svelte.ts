/** What the page says aloud: one polite live region reads it. */

import type { Words } from '../api/types';

class Speech {
  words: Words | null = $state.raw(null);

  say(words: Words | null): void {
    this.words = words;
  }
}

export const speech = new Speech();
