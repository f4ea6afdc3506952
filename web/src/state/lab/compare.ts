/** The moves of one position in the trees of minimax and alpha-beta: only a value may be compared with a value. */

import type { NodeView } from '../../api/lab';

export interface ComparedMove {
  move: string;
  minimax: string;
  alphaBeta: string;
  result: 'same' | 'different' | 'bound' | 'missing';
}

/** In minimax's order. Both lists have what is right below the root. */
export function compared(minimax: NodeView[], alphaBeta: NodeView[]): ComparedMove[] {
  const twins = new Map(alphaBeta.map((node) => [node.move, node]));
  return minimax.map((plain) => {
    const twin = twins.get(plain.move);
    return { move: plain.move ?? '', minimax: plain.value, alphaBeta: twin?.value ?? '–', result: resultOf(plain, twin) };
  });
}

function resultOf(plain: NodeView, twin: NodeView | undefined): ComparedMove['result'] {
  if (!twin) return 'missing';
  if (plain.bound !== 'exact' || twin.bound !== 'exact') return 'bound';
  return plain.value === twin.value ? 'same' : 'different';
}
