/** Where the positions of a tree stand: leaves side by side, everything else above the middle of what is below it. */

export const COLUMN = 68;
export const ROW = 80;
export const BORDER = 40;

export interface Spot {
  x: number;
  y: number;
}

/** A tree to lay out. `skipped` asks for a place beside the children where cut branches are drawn. */
export interface Branch<Key> {
  key: Key;
  ply: number;
  children: Branch<Key>[];
  skipped: boolean;
  /** Are there children that are not shown? They get a place of their own. */
  more: boolean;
}

export interface Layout<Key> {
  spots: Map<Key, Spot>;
  skipped: Map<Key, Spot>;
  more: Map<Key, Spot>;
  width: number;
  height: number;
}

export function layOut<Key>(roots: Branch<Key>[], column = COLUMN, row = ROW): Layout<Key> {
  const layout: Layout<Key> = { spots: new Map(), skipped: new Map(), more: new Map(), width: 0, height: 0 };
  let next = 0;
  let deepest = 0;
  const take = () => BORDER + (next++ + 0.5) * column;
  const place = (branch: Branch<Key>): number => {
    const y = BORDER + branch.ply * row;
    deepest = Math.max(deepest, y);
    const columns = branch.children.map(place);
    const aside = (map: Map<Key, Spot>) => {
      const x = take();
      columns.push(x);
      map.set(branch.key, { x, y: y + row });
      deepest = Math.max(deepest, y + row);
    };
    if (branch.more) aside(layout.more);
    if (branch.skipped) aside(layout.skipped);
    const [first, last] = [columns[0], columns.at(-1)];
    const x = first === undefined || last === undefined ? take() : (first + last) / 2;
    layout.spots.set(branch.key, { x, y });
    return x;
  };
  roots.forEach(place);
  layout.width = Math.max(1, next) * column + 2 * BORDER;
  layout.height = deepest + BORDER;
  return layout;
}
