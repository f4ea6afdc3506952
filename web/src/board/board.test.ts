import { describe, expect, it } from 'vitest';
import { boxes, cells } from '../testing/scenes';
import { changes, withDrawers } from './changes';
import { type Cursor, cursorAt, moved, reachableRows, startingCursor } from './navigation';
import { detailOf, placeOfMove, placeRows } from './places';
import { tagsOf } from './tags';

describe('places', () => {
  it('takes a cell and the mark on it for one place, labelled by the mark', () => {
    const rows = placeRows(cells('X.', '.O'));
    expect(rows.map((row) => row.length)).toEqual([2, 2]);
    const [corner, free] = rows[0] ?? [];
    expect(corner).toMatchObject({ move: 'a1', playable: false, owner: 'first', label: { state: { en: 'X' } } });
    expect(free).toMatchObject({ move: 'b1', playable: true, owner: null });
  });

  it('leaves dots out and puts lines and boxes in rows by their centres', () => {
    const rows = placeRows(boxes(2, []));
    expect(rows.map((row) => row.map((place) => place.move ?? place.kind))).toEqual([
      ['h0,0', 'h0,1'],
      ['v0,0', 'box', 'v0,1', 'box', 'v0,2'],
      ['h1,0', 'h1,1'],
    ]);
  });

  it('finds the place of a move, a playable one first', () => {
    expect(placeOfMove(placeRows(cells('.X')), 'a1')?.playable).toBe(true);
    expect(placeOfMove(placeRows(cells('.X')), 'z9')).toBeUndefined();
  });

  it('draws details smaller where cells are shown larger', () => {
    expect(detailOf({ width: 3, height: 3 })).toBeLessThan(detailOf({ width: 8, height: 8 }));
    expect(detailOf({ width: 100, height: 2 })).toBe(1.5);
  });
});

describe('the keyboard', () => {
  const rows = placeRows(boxes(2, ['v0,1']));
  const at = (move: string): Cursor => {
    const place = placeOfMove(rows, move);
    if (!place) throw new Error(move);
    return cursorAt(place);
  };
  const walk = (from: Cursor, ...keys: string[]) =>
    keys.reduce((cursor, key) => moved(rows, cursor, key, false) ?? cursor, from);
  const moveAt = (cursor: Cursor) => rows.flat().find((place) => place.key === cursor.key)?.move;

  it('goes along rows and from row to row, and stays at the edges', () => {
    expect(moveAt(walk(at('h0,0'), 'ArrowRight'))).toBe('h0,1');
    expect(moveAt(walk(at('h0,0'), 'ArrowRight', 'ArrowRight'))).toBe('h0,1');
    expect(moveAt(walk(at('h0,0'), 'ArrowLeft'))).toBe('h0,0');
    expect(moveAt(walk(at('h0,0'), 'ArrowUp'))).toBe('h0,0');
    expect(moveAt(walk(at('h0,1'), 'ArrowDown'))).toBe('v0,1');
  });

  it('keeps its column over rows that have no place there', () => {
    expect(moveAt(walk(at('h0,1'), 'ArrowDown', 'ArrowDown'))).toBe('h1,1');
    expect(moveAt(walk(at('h1,0'), 'ArrowUp', 'ArrowUp'))).toBe('h0,0');
  });

  it('jumps to the edges', () => {
    expect(moveAt(walk(at('v0,2'), 'Home'))).toBe('v0,0');
    expect(moveAt(walk(at('v0,0'), 'End'))).toBe('v0,2');
    expect(moveAt(walk(at('h1,1'), 'PageUp'))).toBe('h0,1');
    expect(moveAt(moved(rows, at('v0,1'), 'End', true) ?? at('h0,0'))).toBe('h1,1');
    expect(moved(rows, at('h0,0'), 'a', false)).toBeNull();
  });

  it('reaches every line from every other', () => {
    const all = reachableRows(rows).flat();
    for (const from of all) {
      const seen = new Set([from.key]);
      const open = [cursorAt(from)];
      for (let cursor = open.pop(); cursor; cursor = open.pop()) {
        for (const key of ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight']) {
          const next = moved(rows, cursor, key, false);
          if (next && !seen.has(next.key)) {
            seen.add(next.key);
            open.push(next);
          }
        }
      }
      expect(seen.size).toBe(all.length);
    }
  });

  it('starts on a playable place near the middle', () => {
    const board = placeRows(cells('...', '.X.', '...'));
    const start = startingCursor(board, 3, 3);
    expect(board.flat().find((place) => place.key === start?.key)).toMatchObject({ move: 'b1', playable: true });
    expect(startingCursor([], 3, 3)).toBeNull();
  });
});

describe('changes', () => {
  it('sees what appeared and what turned over, rippling outwards from the move', () => {
    const found = changes(cells('.OX', '...'), cells('XXX', '...'), 'a1');
    expect(found.get('mark-a1')).toEqual({ how: 'appear', delay: 0 });
    expect(found.get('mark-b1')?.how).toBe('turn');
    expect(found.get('mark-b1')?.delay).toBeGreaterThan(0);
    expect(found.has('mark-c1')).toBe(false);
  });

  it('is over within 250 ms and is nothing on a first look or another board', () => {
    const wide = changes(cells('.'.repeat(15)), cells('X'.repeat(15)), 'a1');
    expect(Math.max(...[...wide.values()].map((change) => change.delay))).toBeLessThanOrEqual(100);
    expect(changes(null, cells('X'), null).size).toBe(0);
    expect(changes(cells('.'), cells('X.'), null).size).toBe(0);
  });

  it('gives drawn lines to whoever drew them', () => {
    const scene = withDrawers(boxes(1, ['h0,0', 'v0,1']), [{ move: 'h0,0', by: 'second' }]);
    const owner = (id: string) => scene.shapes.find((shape) => shape.id === id)?.owner;
    expect(owner('h0,0')).toBe('second');
    expect(owner('v0,1')).toBeNull();
    expect(owner('h1,0')).toBeNull();
  });
});

it('tags show the sign always and mark what was told to be best, whatever the values', () => {
  const values = [
    { move: 'a', value: 2, exact: true },
    { move: 'b', value: -3, exact: false },
    { move: 'c', value: 2, exact: false },
    { move: 'd', value: 2, exact: false, bound: 'at_most' as const },
  ];
  const tags = tagsOf(values, ['a']);
  expect(tags.get('a')).toEqual({ text: '+2', exact: true, best: true });
  expect(tags.get('b')).toEqual({ text: '−3', exact: false, best: false });
  expect(tags.get('c')?.best).toBe(false);
  expect(tagsOf(values, ['b', 'c']).get('b')?.best).toBe(true);
  expect(tags.get('d')).toEqual({ text: '≤+2', exact: false, best: false });
});
