/** Values on moves, ready to be shown on the board. */

import type { MoveValue } from '../api/types';
import { valueText } from '../state/evaluation';

export interface Tag {
  text: string;
  exact: boolean;
  best: boolean;
}

/** `best` is what was told to be best: the underlined ones. */
export function tagsOf(values: MoveValue[], best: string[]): Map<string, Tag> {
  return new Map(
    values.map((entry) => [entry.move, { text: valueText(entry), exact: entry.exact, best: best.includes(entry.move) }]),
  );
}
