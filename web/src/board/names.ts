/** What people call a move: its own text unless a shape of the board knows better. */

import type { Scene } from '../api/types';

export function moveName(scene: Scene | null | undefined, move: string): string {
  return scene?.shapes.find((shape) => shape.mv === move)?.move_name ?? move;
}
