import { expect, it } from 'vitest';
import { en } from './en';
import { id } from './id';
import { en as labEn } from './lab/en';
import { id as labId } from './lab/id';

type Leaf = string | ((...input: never[]) => string);

function leaves(value: unknown, path = ''): [string, Leaf][] {
  if (typeof value === 'string' || typeof value === 'function') return [[path, value as Leaf]];
  return Object.entries(value as object).flatMap(([key, inner]) => leaves(inner, `${path}.${key}`));
}

it('both languages have the same keys, none of them empty', () => {
  for (const [english, indonesian] of [
    [leaves(en), leaves(id)],
    [leaves(labEn), leaves(labId)],
  ] as const) {
    expect(indonesian.map(([path]) => path)).toEqual(english.map(([path]) => path));
    for (const [path, text] of [...english, ...indonesian]) expect(text, path).not.toBe('');
  }
});

it('a text with numbers in it shows them in both languages', () => {
  for (const dictionary of [en, id]) {
    expect(dictionary.mistake(12, 'f5', 'Ana (X)', '3', dictionary.sureness(false, 9), 'd6')).toMatch(/12.*f5.*Ana \(X\).*3.*9.*d6/);
    expect(dictionary.reviewRunning(4, 9)).toMatch(/4.*9/);
  }
});
