/** What changed between two scenes, and in which order it should be seen. */

import type { MoveEntry, Scene, Shape } from '../api/types';
import { centreX, centreY } from './places';

export interface Change {
  how: 'appear' | 'turn';
  /** Milliseconds to wait, so that captures ripple outwards from the move. */
  delay: number;
}

/** Together with the animation itself everything is over within 250 ms. */
const LONGEST_DELAY = 100;
const DELAY_PER_UNIT = 28;

export function changes(before: Scene | null, after: Scene, move: string | null): Map<string, Change> {
  const found = new Map<string, Change>();
  if (!before || before.width !== after.width || before.height !== after.height) return found;
  const old = new Map(before.shapes.map((shape) => [shape.id, shape]));
  const origin = after.shapes.find((shape) => move !== null && shape.mv === move);
  for (const shape of after.shapes) {
    const how = changeOf(old.get(shape.id), shape);
    if (how) found.set(shape.id, { how, delay: origin ? delayBetween(origin, shape) : 0 });
  }
  return found;
}

function changeOf(before: Shape | undefined, after: Shape): Change['how'] | null {
  if (after.kind === 'cell' || after.kind === 'dot' || !isShown(after)) return null;
  if (!before || !isShown(before)) return 'appear';
  return before.owner !== after.owner && before.owner !== null ? 'turn' : null;
}

function isShown(shape: Shape): boolean {
  return shape.present && (shape.owner !== null || shape.kind === 'line' || shape.kind === 'box');
}

function delayBetween(a: Shape, b: Shape): number {
  const distance = Math.hypot(centreX(a) - centreX(b), centreY(a) - centreY(b));
  return Math.min(LONGEST_DELAY, Math.round(distance * DELAY_PER_UNIT));
}

/**
 * The scene with drawn lines that nobody owns given to whoever made the move
 * they stand for: a position need not remember that, the list of moves does.
 */
export function withDrawers(scene: Scene, moves: Pick<MoveEntry, 'move' | 'by'>[]): Scene {
  const ownerless = scene.shapes.some((shape) => isOwnerlessLine(shape));
  if (!ownerless) return scene;
  const by = new Map(moves.map((entry) => [entry.move, entry.by]));
  const shapes = scene.shapes.map((shape) =>
    isOwnerlessLine(shape) ? { ...shape, owner: by.get(shape.mv ?? '') ?? null } : shape,
  );
  return { ...scene, shapes };
}

function isOwnerlessLine(shape: Shape): boolean {
  return shape.kind === 'line' && shape.present && shape.owner === null;
}
