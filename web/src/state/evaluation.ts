/** One evaluation feeds bar, graph, numbers and list: these are its rules. */

import type { Analysis, Hint, Insight, MoveValue, Side, Thinking } from '../api/types';

/** Scores beyond half of this are decided games with the margin added (a core convention). */
const DECIDED = 1_000_000;

/** What is known of the position before a ply. Values count the whole margin at the end of the game. */
export interface Evaluation {
  toMove: Side;
  /** For the side to move. */
  value: number;
  exact: boolean;
  depth: number;
  moves: MoveValue[];
  pv: string[];
  /** How play would go on after the best moves, best first, as far as it was looked at. */
  lines: string[][];
  nodes: number;
  /** What else there is to see. */
  insights?: Insight[] | undefined;
}

/** Where a value counts only the points still to come, `final` beside it is the whole margin. */
const whole = (entry: { value: number; final?: number | null }) => entry.final ?? entry.value;
const wholeMoves = (moves: MoveValue[]) => moves.map((entry) => ({ ...entry, value: whole(entry) }));

export function evaluationOf(analysis: Analysis): Evaluation {
  const { to_move: toMove, exact, depth, pv, nodes, insights } = analysis;
  return { toMove, value: whole(analysis), exact, depth, pv, lines: [], nodes, insights, moves: wholeMoves(analysis.moves) };
}

export function evaluationOfHint(hint: Hint, toMove: Side): Evaluation {
  const { exact, depth, pv } = hint;
  return { toMove, value: whole(hint), exact, depth, pv, lines: [], nodes: 0, moves: wholeMoves(hint.per_move) };
}

/** A bot's last thought before its move; nothing if it had none. */
export function evaluationOfThought(thought: Thinking, toMove: Side): Evaluation | null {
  const { move, score, depth, nodes } = thought;
  if (move === null || score === null) return null;
  return { toMove, value: thought.final ?? score, exact: false, depth, moves: [], pv: [move], lines: [], nodes };
}

/** Does `next` say at least as much as `known`? */
export function saysMore(next: Evaluation, known: Evaluation | undefined): boolean {
  if (!known) return true;
  if (known.exact !== next.exact) return next.exact;
  return next.moves.length > 0 || known.moves.length === 0;
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

/**
 * How far bar and graph lean to the first player, from −1 to 1: small margins
 * are the interesting ones, so they get more room than their share of `bound`,
 * the largest margin there can be.
 */
export function lean(value: number, bound: number): number {
  const part = Math.min(1, Math.abs(plain(value)) / Math.max(1, bound));
  return Math.sign(value) * Math.sqrt(part);
}

/** What a move gave away, and whether that is certain. */
export interface Loss {
  size: number;
  exact: boolean;
}

/** What the played move gave away against the best one; `null` where it cannot be told. */
export function lossOf(before: Evaluation, played: string, after: Evaluation | null): Loss | null {
  const best = Math.max(before.value, bestValue(before.moves));
  const entry = before.moves.find((candidate) => candidate.move === played);
  const value = entry?.value ?? (after && (after.toMove === before.toMove ? after.value : -after.value));
  if (value === null || value === undefined) return null;
  const exact = before.exact && (entry ? entry.exact && !entry.bound : (after?.exact ?? false));
  // A decided value against an estimate is in other units: only the fact counts.
  if (isDecided(best) !== isDecided(value)) return { size: Math.max(1, Math.abs(plain(best))), exact };
  return { size: Math.max(0, plain(best) - plain(value)), exact };
}

export interface Mistake {
  ply: number;
  by: Side;
  move: string;
  better: string;
  loss: Loss;
  /** How far the look at the position reached. */
  depth: number;
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
      if (loss === null || loss.size <= 0 || !better || better === move) return [];
      return [{ ply: index + 1, by, move, better, loss, depth: before.depth }];
    })
    .sort((a, b) => b.loss.size - a.loss.size || a.ply - b.ply)
    .slice(0, count);
}

export function bestMove(evaluation: Evaluation): string | undefined {
  const best = bestValue(evaluation.moves);
  const reached = evaluation.moves.find((entry) => entry.value === best && entry.bound !== 'at_most');
  return reached?.move ?? evaluation.pv[0];
}
