import { describe, expect, it } from 'vitest';
import type { ClockView, Thinking } from '../api/types';
import { clockHeard, remaining, thinkingHeard } from './timing';

const clock = (first: number, running: 'first' | 'second' | null): ClockView => ({ kind: 'game', remaining_ms: [first, 60_000], running });
const thinking = (part: Partial<Thinking>): Thinking => ({
  seat: 'first', waiting: false, move: null, score: null, depth: 0, depth_under_way: null, nodes: 0, elapsed_ms: 0, ...part,
});

describe('clocks', () => {
  it('count down from what was heard while they run', () => {
    const heard = { clock: clock(30_000, 'first'), at: 1_000 };
    expect(remaining(heard, 'first', 3_500, false)).toBe(27_500);
    expect(remaining(heard, 'second', 3_500, false)).toBe(60_000);
    expect(remaining(heard, 'first', 3_500, true)).toBe(30_000);
    expect(remaining({ clock: { kind: 'none' }, at: 0 }, 'first', 0, false)).toBeNull();
  });

  it('start to run when the bot begins, and never jump back up', () => {
    const waits = { clock: clock(30_000, null), at: 0 };
    let heard = clockHeard(waits, clock(30_000, 'first'), 500);
    // Heard 400 ms late, then 100 ms late.
    const shown: number[] = [];
    for (const [left, at] of [[29_900, 1_000], [29_500, 1_100], [29_000, 1_500]] as const) {
      heard = clockHeard(heard, clock(left, 'first'), at);
      shown.push(remaining(heard, 'first', at, false) as number);
    }
    expect(shown).toEqual([29_500, 29_400, 29_000]);
  });
});

describe('a bot at work', () => {
  it('has been so since the earliest start that any message tells of', () => {
    let heard = thinkingHeard(null, thinking({ elapsed_ms: 0 }), 1_000);
    heard = thinkingHeard(heard, thinking({ elapsed_ms: 100 }), 1_050);
    expect(heard.since).toBe(950);
    heard = thinkingHeard(heard, thinking({ elapsed_ms: 200 }), 1_900);
    expect(heard.since).toBe(950);
  });

  it('begins anew with another bot, another move, and the end of its waiting', () => {
    const heard = thinkingHeard(null, thinking({ waiting: true, elapsed_ms: 5_000 }), 6_000);
    expect(thinkingHeard(heard, thinking({ elapsed_ms: 0 }), 7_000).since).toBe(7_000);
    expect(thinkingHeard(heard, thinking({ waiting: true, seat: 'second', elapsed_ms: 6_000 }), 7_500).since).toBe(1_500);
    expect(thinkingHeard(heard, thinking({ waiting: true, elapsed_ms: 10 }), 7_000).since).toBe(6_990);
  });
});
