/**
 * Times of the server in this browser's time. Messages arrive late, now more, now less: the least
 * late one of a run is the truest, so that what is shown only ever goes one way.
 */

import type { ClockView, Side, Thinking } from '../api/types';

/** The clocks as they were said to stand, and when that was heard. */
export interface HeardClock {
  clock: ClockView;
  at: number;
}

const indexOf = (side: Side) => (side === 'first' ? 0 : 1);

/** When the running time will be used up, as far as `heard` tells. */
function endOf({ clock, at }: HeardClock): number {
  return at + (clock.running ? (clock.remaining_ms?.[indexOf(clock.running)] ?? 0) : 0);
}

/** What to go by once `clock` was heard too, later in the same turn. */
export function clockHeard(known: HeardClock | null, clock: ClockView, at: number): HeardClock {
  const next = { clock, at };
  const goesOn = known !== null && clock.running && known.clock.running === clock.running;
  return goesOn && endOf(known) <= endOf(next) ? known : next;
}

/** What a player has left now; nothing without a limit. */
export function remaining(heard: HeardClock, side: Side, now: number, stopped: boolean): number | null {
  const left = heard.clock.remaining_ms?.[indexOf(side)];
  if (heard.clock.kind === 'none' || left === undefined) return null;
  return heard.clock.running === side && !stopped ? left - Math.max(0, now - heard.at) : left;
}

/** A bot at work, and since when. */
export interface HeardThinking {
  thinking: Thinking;
  since: number;
}

/** What to go by once `thinking` was heard too. */
export function thinkingHeard(known: HeardThinking | null, thinking: Thinking, at: number): HeardThinking {
  const since = at - thinking.elapsed_ms;
  const before = known?.thinking;
  const goesOn = before?.seat === thinking.seat && before?.waiting === thinking.waiting && before.elapsed_ms <= thinking.elapsed_ms;
  return { thinking, since: known && goesOn ? Math.min(known.since, since) : since };
}
