/** Values on moves, ready to be shown on the board. */

import type { MoveValue } from '../api/types';
import { signed } from '../state/evaluation';

export interface Tag {
  text: string;
  exact: boolean;
  best: boolean;
}

export function tagsOf(values: MoveValue[]): Map<string, Tag> {
  const best = Math.max(...values.map((entry) => entry.value));
  return new Map(
    values.map((entry) => [
      entry.move,
      { text: signed(entry.value), exact: entry.exact, best: entry.value === best },
    ]),
  );
}
