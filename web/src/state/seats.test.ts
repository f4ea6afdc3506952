import { beforeEach, describe, expect, it } from 'vitest';
import { memory } from './memory';
import { forgetSeats, heldTokens, holdSeats, lastGame, makerToken, rememberGame } from './seats';

const PERSON = { kind: 'person' };
const LINK = { kind: 'link' };
const BOT = { kind: 'bot' };

describe('seats', () => {
  beforeEach(() => {
    memory.set('seats', []);
    rememberGame(null);
  });

  it('tell a maker from a friend who joined', () => {
    holdSeats('made', { first: 'mine' }, { second: '/join/made/secret' });
    expect(makerToken('made', [PERSON, LINK])).toBe('mine');
    holdSeats('joined', { second: 'friend' });
    expect(makerToken('joined', [PERSON, LINK])).toBeNull();
    holdSeats('bots', { watch: 'maker' });
    expect(makerToken('bots', [BOT, BOT])).toBe('maker');
    holdSeats('second', { second: 'mine too' });
    expect(makerToken('second', [BOT, PERSON])).toBe('mine too');
    expect(makerToken('never seen', [PERSON, PERSON])).toBeNull();
  });

  it('are forgotten with their game, and so is the wish to go on with it', () => {
    holdSeats('gone', { first: 'a' });
    holdSeats('stays', { first: 'b' });
    rememberGame('gone');
    forgetSeats('gone');
    expect(heldTokens('gone')).toEqual([]);
    expect(heldTokens('stays')).toEqual(['b']);
    expect(lastGame()).toBeNull();
  });
});
