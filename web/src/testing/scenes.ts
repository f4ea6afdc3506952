/** Scenes for tests: a grid of cells with marks, and dots with lines and boxes. */

import type { PlayerLook, Scene, Shape, Side, Words } from '../api/types';

const words = (text: string): Words => ({ en: text, id: text });
const PLAYERS: [PlayerLook, PlayerLook] = [
  { name: words('X'), symbol: 'X', look: 'cross' },
  { name: words('O'), symbol: 'O', look: 'ring' },
];

function shape(part: Partial<Shape> & Pick<Shape, 'id' | 'kind' | 'x' | 'y' | 'w' | 'h'>, state = 'empty'): Shape {
  return {
    owner: null,
    present: true,
    mv: null,
    playable: false,
    label: { place: words(part.id), state: words(state) },
    ...part,
  };
}

function scene(width: number, height: number, shapes: Shape[]): Scene {
  return {
    width,
    height,
    players: PLAYERS,
    to_move: 'first',
    column_labels: [],
    row_labels: [],
    other_moves: [],
    shapes,
  };
}

/** Rows of `X`, `O` and `.`; every empty cell can be played. */
export function cells(...rows: string[]): Scene {
  const shapes: Shape[] = [];
  const marks: Shape[] = [];
  rows.forEach((row, y) =>
    [...row].forEach((sign, x) => {
      const name = `${String.fromCharCode(97 + x)}${y + 1}`;
      const owner: Side | null = sign === 'X' ? 'first' : sign === 'O' ? 'second' : null;
      shapes.push(shape({ id: `cell-${name}`, kind: 'cell', x, y, w: 1, h: 1, mv: name, playable: owner === null }));
      if (owner) marks.push(shape({ id: `mark-${name}`, kind: 'mark', x, y, w: 1, h: 1, owner }, sign));
    }),
  );
  return scene(rows[0]?.length ?? 0, rows.length, [...shapes, ...marks]);
}

/** One row of boxes with all their lines, those named in `drawn` drawn. */
export function boxes(columns: number, drawn: string[]): Scene {
  const shapes: Shape[] = [];
  const line = (id: string, x: number, y: number, w: number, h: number) => {
    const present = drawn.includes(id);
    shapes.push(shape({ id, kind: 'line', x, y, w, h, present, mv: id, playable: !present }));
  };
  for (let x = 0; x < columns; x += 1) {
    shapes.push(shape({ id: `box${x}`, kind: 'box', x, y: 0, w: 1, h: 1, present: false }));
    line(`h0,${x}`, x, 0, 1, 0);
    line(`h1,${x}`, x, 1, 1, 0);
  }
  for (let x = 0; x <= columns; x += 1) {
    line(`v0,${x}`, x, 0, 0, 1);
    shapes.push(shape({ id: `dot${x}`, kind: 'dot', x, y: 0, w: 0, h: 0 }));
  }
  return scene(columns, 1, shapes);
}
