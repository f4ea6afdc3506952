/** Values on moves, ready to be shown on the board. */

import type { MoveValue } from '../api/types';
import { bestValue, valueText } from '../state/evaluation';

export interface Tag {
  text: string;
  exact: boolean;
  best: boolean;
}

export function tagsOf(values: MoveValue[]): Map<string, Tag> {
  const best = bestValue(values);
  return new Map(
    values.map((entry) => [
      entry.move,
      { text: valueText(entry), exact: entry.exact, best: entry.value === best && entry.bound !== 'at_most' },
    ]),
  );
}
