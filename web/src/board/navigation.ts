/** The keyboard's way over a board: along rows, and from row to row. */

import { type Place, centreX } from './places';

/** Where the cursor stands and the column it wants to keep. */
export interface Cursor {
  key: string;
  goal: number;
}

const STEPS: Record<string, [rows: number, columns: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** The rows with only the places that the cursor can stand on. */
export function reachableRows(rows: Place[][]): Place[][] {
  return rows.map((row) => row.filter((place) => place.reachable)).filter((row) => row.length > 0);
}

/** The cursor's first place: a playable one near the middle, else the middle one. */
export function startingCursor(rows: Place[][], width: number, height: number): Cursor | null {
  const places = reachableRows(rows).flat();
  const playable = places.filter((place) => place.playable);
  const candidates = playable.length > 0 ? playable : places;
  const distance = (place: Place) => Math.hypot(centreX(place) - width / 2, place.y + place.h / 2 - height / 2);
  const nearest = candidates.reduce<Place | null>(
    (best, place) => (best === null || distance(place) < distance(best) - 1e-6 ? place : best),
    null,
  );
  return nearest && cursorAt(nearest);
}

export function cursorAt(place: Place): Cursor {
  return { key: place.key, goal: centreX(place) };
}

/** Where a key leads; `null` if it is not a key of the board. At an edge the cursor stays. */
export function moved(rows: Place[][], cursor: Cursor, key: string, withControl: boolean): Cursor | null {
  const reachable = reachableRows(rows);
  const at = reachable.findIndex((row) => row.some((place) => place.key === cursor.key));
  const row = reachable[at];
  if (!row) return null;
  const column = row.findIndex((place) => place.key === cursor.key);
  const step = STEPS[key];
  if (step && step[0] !== 0) return nearestIn(reachable[at + step[0]], cursor);
  if (step) return placeAt(row, column + step[1], cursor);
  switch (key) {
    case 'Home':
      return placeAt(withControl ? reachable[0] : row, 0, cursor);
    case 'End': {
      const last = (withControl ? reachable.at(-1) : row) ?? row;
      return placeAt(last, last.length - 1, cursor);
    }
    case 'PageUp':
      return nearestIn(reachable[0], cursor);
    case 'PageDown':
      return nearestIn(reachable.at(-1), cursor);
    default:
      return null;
  }
}

function placeAt(row: Place[] | undefined, index: number, cursor: Cursor): Cursor {
  const place = row?.[index];
  return place ? cursorAt(place) : cursor;
}

function nearestIn(row: Place[] | undefined, cursor: Cursor): Cursor {
  if (!row) return cursor;
  const nearest = row.reduce((best, place) =>
    Math.abs(centreX(place) - cursor.goal) < Math.abs(centreX(best) - cursor.goal) - 1e-6 ? place : best,
  );
  return { key: nearest.key, goal: cursor.goal };
}
