/** The time of now, for whatever ticks: one timer for all that look at it, none while nobody does. */

import { createSubscriber } from 'svelte/reactivity';

const TICK = 100;

const subscribe = createSubscriber((update) => {
  const timer = setInterval(update, TICK);
  return () => clearInterval(timer);
});

/** As `performance.now()`; what reads it in the page is brought up to date ten times a second. */
export function now(): number {
  subscribe();
  return performance.now();
}
