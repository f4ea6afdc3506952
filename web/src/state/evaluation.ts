/** One evaluation feeds bar, graph, numbers and list: these are its rules. */

import type { Analysis, Hint, Insight, MoveLine, MoveValue, Side, Thinking } from '../api/types';

/** Scores beyond half of this are decided games with the margin added (a core convention). */
const DECIDED = 1_000_000;

/** What is known of the position before a ply. Values count the whole margin at the end of the game. */
export interface Evaluation {
  toMove: Side;
  /** For the side to move; none where nothing is known. */
  value: number | null;
  exact: boolean;
  bound?: MoveValue['bound'];
  decided?: boolean | undefined;
  depth: number;
  /** What is called best, as it was told: never worked out here. The first gets the ring. */
  best: string[];
  /** The moves of which something is known, in the order in which they were told: best first. */
  moves: MoveValue[];
  pv: string[];
  /** How play would go on after the best moves, best first, as far as it was looked at. */
  lines: string[][];
  nodes: number;
  /** What else there is to see. */
  insights?: Insight[] | undefined;
}

/** Where a value counts only the points still to come, `final` beside it is the whole margin. */
const whole = (entry: { value: number | null; final?: number | null }) => entry.final ?? entry.value;
const known = (moves: MoveLine[]) =>
  moves.flatMap((entry): MoveValue[] => {
    const value = whole(entry);
    return value === null ? [] : [{ ...entry, value }];
  });

export function evaluationOf(analysis: Analysis): Evaluation {
  const { to_move: toMove, exact, bound, decided, depth, best, pv, nodes, insights } = analysis;
  return { toMove, value: whole(analysis), exact, bound: bound ?? null, decided, depth, best, pv, lines: [], nodes, insights, moves: known(analysis.moves) };
}

export function evaluationOfHint(hint: Hint, toMove: Side): Evaluation {
  const { exact, bound, decided, depth, best, pv } = hint;
  return { toMove, value: whole(hint), exact, bound: bound ?? null, decided, depth, best, pv, lines: [], nodes: 0, moves: known(hint.per_move) };
}

/** A bot's last thought before its move; nothing if it had none. It is no advice: nothing is called best. */
export function evaluationOfThought(thought: Thinking, toMove: Side): Evaluation | null {
  const { move, score, depth, nodes } = thought;
  if (move === null || score === null) return null;
  return { toMove, value: thought.final ?? score, exact: false, depth, best: [], moves: [], pv: [move], lines: [], nodes };
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

/** From the first player's chair; none where nothing is known. */
export function forFirst(evaluation: Pick<Evaluation, 'toMove' | 'value'>): number | null {
  if (evaluation.value === null) return null;
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
  /** It gave away this or more. */
  atLeast?: boolean;
}

/** `≥ 3` where that is all that is known. */
export const lossText = (loss: Loss) => (loss.atLeast ? `≥ ${loss.size}` : String(loss.size));

/**
 * What the played move gave away against the best one; `null` where it cannot be told. Values of one look at a position
 * can be compared; those of two looks only if both are exact, since estimates of other depths are of another kind.
 */
export function lossOf(before: Evaluation, played: string, after: Evaluation | null): Loss | null {
  if (before.best.includes(played)) return { size: 0, exact: before.exact };
  if (before.value === null) return null;
  const entry = before.moves.find((candidate) => candidate.move === played);
  const proved = before.exact && after?.exact;
  if (entry && !(entry.bound && proved)) {
    const exact = before.exact && entry.exact && !entry.bound;
    if (entry.bound) {
      const size = before.value - entry.value;
      return entry.bound === 'at_most' && size > 0 ? { size, exact, atLeast: true } : null;
    }
    // A line that ends the game against an estimate is in other units: only the fact counts.
    if (Boolean(before.decided) !== Boolean(entry.decided)) return { size: Math.max(1, Math.abs(before.value)), exact };
    return { size: Math.max(0, before.value - entry.value), exact };
  }
  if (!after || after.value === null || !proved) return null;
  const value = after.toMove === before.toMove ? after.value : -after.value;
  return { size: Math.max(0, before.value - value), exact: true };
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

/** The move that gets the ring: what was told to be best. */
export function bestMove(evaluation: Evaluation): string | undefined {
  return evaluation.best[0];
}
