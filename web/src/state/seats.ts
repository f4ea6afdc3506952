/** The seats that this browser holds, by game. */

import type { Side } from '../api/types';
import { memory } from './memory';

type Tokens = Partial<Record<Side | 'watch', string>>;

/** Old games fall out of the list once there are more than this. */
const REMEMBERED = 200;

interface Held {
  id: string;
  tokens: Tokens;
  /** Addresses that let a friend sit down, for the seats left open. */
  join: Tokens;
}

const NOTHING: Held = { id: '', tokens: {}, join: {} };

export function heldSeats(id: string): Held {
  return memory.get<Held[]>('seats', []).find((held) => held.id === id) ?? NOTHING;
}

/** Every different key held for a game. */
export function heldTokens(id: string): string[] {
  return [...new Set(Object.values(heldSeats(id).tokens))];
}

export function holdSeats(id: string, tokens: Tokens, join: Tokens = {}): void {
  const before = heldSeats(id);
  const others = memory.get<Held[]>('seats', []).filter((held) => held.id !== id);
  const held = { id, tokens: { ...before.tokens, ...tokens }, join: { ...before.join, ...join } };
  memory.set('seats', [held, ...others].slice(0, REMEMBERED));
}

/** The key of whoever made the game, if that was this browser: a friend's seat has a key of its own. */
export function makerToken(id: string, seats: readonly { kind: string }[]): string | null {
  const { tokens } = heldSeats(id);
  const own = (side: Side, index: number) => (seats[index]?.kind === 'person' ? tokens[side] : undefined);
  return tokens.watch ?? own('first', 0) ?? own('second', 1) ?? null;
}

/** Forgets a game that is gone. */
export function forgetSeats(id: string): void {
  memory.set(
    'seats',
    memory.get<Held[]>('seats', []).filter((held) => held.id !== id),
  );
  if (lastGame() === id) rememberGame(null);
}

/** The game to offer under "continue". */
export const lastGame = () => memory.get<string | null>('last-game', null);
export const rememberGame = (id: string | null) => memory.set('last-game', id);
