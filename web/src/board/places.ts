/**
 * Places: what a player can point at. Shapes drawn around the same centre (a
 * cell and the disc on it) are one place, with one spoken label and one move.
 */

import type { Scene, Shape, Side, Words } from '../api/types';

export interface Place {
  /** Names the centre, so it stays the same from one position to the next. */
  key: string;
  /** The shape that names the place when a position is set up by hand. */
  id: string;
  x: number;
  y: number;
  w: number;
  h: number;
  kind: Shape['kind'];
  owner: Side | null;
  move: string | null;
  playable: boolean;
  /** Can the cursor stand on it? */
  reachable: boolean;
  label: { place: Words; state: Words };
}

/**
 * How large signs, lines and letters are drawn against the grid: boards of few
 * cells are shown large, and what is on them must not grow with them.
 */
export function detailOf(scene: Pick<Scene, 'width' | 'height'>): number {
  const cells = Math.max(scene.width, scene.height);
  return Math.min(1.5, Math.max(0.5, (cells + 1) / 9));
}

export const centreX = (shape: { x: number; w: number }) => shape.x + shape.w / 2;
export const centreY = (shape: { y: number; h: number }) => shape.y + shape.h / 2;

function keyOf(shape: Shape): string {
  return `${Math.round(centreX(shape) * 100)}:${Math.round(centreY(shape) * 100)}`;
}

/**
 * Rows of places from the top, each from the left. With `everywhere` the cursor
 * can stand on all of them, as an editor needs.
 */
export function placeRows(scene: Scene, everywhere = false): Place[][] {
  const groups = new Map<string, Shape[]>();
  for (const shape of scene.shapes) {
    if (shape.kind === 'dot' && shape.mv === null) continue;
    const key = keyOf(shape);
    const group = groups.get(key);
    if (group) group.push(shape);
    else groups.set(key, [shape]);
  }
  const rows = new Map<number, Place[]>();
  for (const [key, shapes] of groups) {
    const found = placeOf(key, shapes);
    const place = { ...found, reachable: found.reachable || everywhere };
    const row = Math.round(centreY(place) * 100);
    const known = rows.get(row);
    if (known) known.push(place);
    else rows.set(row, [place]);
  }
  return [...rows.entries()]
    .sort(([a], [b]) => a - b)
    .map(([, places]) => places.sort((a, b) => centreX(a) - centreX(b)));
}

function placeOf(key: string, shapes: Shape[]): Place {
  const base = shapes.reduce((widest, shape) => (area(shape) > area(widest) ? shape : widest));
  // What lies on top says what is there; an absent shape says so only if
  // nothing else is there.
  const present = shapes.filter((shape) => shape.present);
  const top = present.findLast((shape) => shape.owner !== null) ?? present.at(-1) ?? base;
  const mover = shapes.find((shape) => shape.playable) ?? shapes.find((shape) => shape.mv !== null);
  return {
    key,
    id: base.id,
    x: base.x,
    y: base.y,
    w: base.w,
    h: base.h,
    kind: base.kind,
    owner: top.owner,
    move: mover?.mv ?? null,
    playable: mover?.playable ?? false,
    reachable: mover !== undefined || base.kind === 'cell' || base.kind === 'line',
    label: top.label,
  };
}

function area(shape: Shape): number {
  return shape.w * shape.h;
}

/** The place that stands for a move: a playable one first. */
export function placeOfMove(rows: Place[][], move: string): Place | undefined {
  const places = rows.flat().filter((place) => place.move === move);
  return places.find((place) => place.playable) ?? places[0];
}
