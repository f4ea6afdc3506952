/** One evaluation feeds bar, graph, numbers and list: these are its rules. */

import type { Analysis, MoveValue, Side } from '../api/types';

/** Scores beyond half of this are decided games with the margin added (a core convention). */
const DECIDED = 1_000_000;

/** What is known of the position before a ply. */
export interface Evaluation {
  toMove: Side;
  /** For the side to move. */
  value: number;
  exact: boolean;
  depth: number;
  moves: MoveValue[];
  pv: string[];
  nodes: number;
}

export function evaluationOf(analysis: Analysis): Evaluation {
  const shift = (analysis.final ?? analysis.value) - analysis.value;
  return {
    toMove: analysis.to_move,
    value: analysis.value + shift,
    exact: analysis.exact,
    depth: analysis.depth,
    moves: analysis.moves.map((entry) => ({ ...entry, value: entry.value + shift })),
    pv: analysis.pv,
    nodes: analysis.nodes,
  };
}

/** The plain size of a value: a decided game's margin without its bonus. */
export function plain(value: number): number {
  return Math.abs(value) > DECIDED / 2 ? value - Math.sign(value) * DECIDED : value;
}

export const isDecided = (value: number) => Math.abs(value) > DECIDED / 2;

/** Always with a sign that can be read: a true minus, not a hyphen. */
export function signed(value: number): string {
  const size = plain(value);
  if (size === 0) return '0';
  return `${size < 0 ? '−' : '+'}${Math.abs(size)}`;
}

/** A move's value as it is shown: a bound says that it is one. */
export function valueText(entry: Pick<MoveValue, 'value' | 'bound'>): string {
  const sign = entry.bound === 'at_most' ? '≤' : entry.bound === 'at_least' ? '≥' : '';
  return sign + signed(entry.value);
}

/** The best value that some move is known to reach. */
export function bestValue(moves: MoveValue[]): number {
  return Math.max(...moves.filter((entry) => entry.bound !== 'at_most').map((entry) => entry.value));
}

/** From the first player's chair. */
export function forFirst(evaluation: Pick<Evaluation, 'toMove' | 'value'>): number {
  const value = plain(evaluation.value);
  return evaluation.toMove === 'first' ? value : 0 - value;
}

/** What the played move gave away against the best one; `null` where it cannot be told. */
export function lossOf(before: Evaluation, played: string, after: Evaluation | null): number | null {
  const best = Math.max(before.value, bestValue(before.moves));
  const entry = before.moves.find((candidate) => candidate.move === played);
  const value = entry?.value ?? (after && (after.toMove === before.toMove ? after.value : -after.value));
  if (value === null || value === undefined) return null;
  // A decided value against an estimate is in other units: only the fact counts.
  if (isDecided(best) !== isDecided(value)) return Math.max(1, Math.abs(plain(best)));
  return Math.max(0, plain(best) - plain(value));
}

export interface Mistake {
  ply: number;
  by: Side;
  move: string;
  better: string;
  loss: number;
  exact: boolean;
}

/** The costliest moves, worst first; `evaluations[i]` is of the position before `moves[i]`. */
export function costliest(
  moves: { move: string; by: Side }[],
  evaluations: (Evaluation | null)[],
  count: number,
): Mistake[] {
  return moves
    .flatMap(({ move, by }, index): Mistake[] => {
      const before = evaluations[index];
      if (!before) return [];
      const loss = lossOf(before, move, evaluations[index + 1] ?? null);
      const better = bestMove(before);
      if (loss === null || loss <= 0 || !better || better === move) return [];
      return [{ ply: index + 1, by, move, better, loss, exact: before.exact }];
    })
    .sort((a, b) => b.loss - a.loss || a.ply - b.ply)
    .slice(0, count);
}

export function bestMove(evaluation: Evaluation): string | undefined {
  const best = bestValue(evaluation.moves);
  const reached = evaluation.moves.find((entry) => entry.value === best && entry.bound !== 'at_most');
  return reached?.move ?? evaluation.pv[0];
}
