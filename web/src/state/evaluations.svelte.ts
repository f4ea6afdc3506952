/** What is known of each position of a game: the one store behind bar, graph, numbers and lists. */

import { type Evaluation, lossOf, type Loss, saysMore } from './evaluation';

export class Evaluations {
  /** By the number of moves made before. */
  known: Map<number, Evaluation> = $state.raw(new Map());

  /** What both know; where `first` says something, that counts. */
  static joined(first: Evaluations, second: Evaluations): Evaluations {
    const joined = new Evaluations();
    joined.known = new Map([...second.known, ...first.known]);
    return joined;
  }

  at(ply: number): Evaluation | undefined {
    return this.known.get(ply);
  }

  /** Keeps whichever says more: this, or what was known before. */
  know(ply: number, evaluation: Evaluation): void {
    if (saysMore(evaluation, this.known.get(ply))) this.known = new Map(this.known).set(ply, evaluation);
  }

  /** Adds how play would go on after one of the best moves. */
  addLine(ply: number, moves: string[]): void {
    const evaluation = this.known.get(ply);
    if (!evaluation) return;
    const lines = [...evaluation.lines.filter(([first]) => first !== moves[0]), moves];
    this.known = new Map(this.known).set(ply, { ...evaluation, lines });
  }

  /** Forgets everything from `ply` on: those positions are no longer part of the line. */
  forgetFrom(ply: number): void {
    this.known = new Map([...this.known].filter(([known]) => known < ply));
  }

  /** What move number `ply` (from 1) gave away. */
  lossAt(ply: number, move: string): Loss | null {
    const before = this.known.get(ply - 1);
    return before ? lossOf(before, move, this.known.get(ply) ?? null) : null;
  }
}
