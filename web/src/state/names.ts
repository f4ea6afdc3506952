/** What the people and bots at a table are called. */

import type { BotInfo, SeatView, Words } from '../api/types';
import { readSpec } from './spec';

/** The name of each game's strongest player. */
export const ENGINE = 'engine';
export const isEngine = (spec: string) => readSpec(spec).name === ENGINE;

/** A bot's title with what was set, such as `Engine 6` or `Alpha-beta (depth 4)`; `word` gives an option's words. */
export function botName(info: BotInfo | undefined, spec: string, word: (name: string) => Words): Words {
  const { name, values } = readSpec(spec);
  const { level, ...others } = values;
  const say = (language: keyof Words) => {
    const details = Object.entries(others).map(([key, value]) => `${word(key)[language].toLowerCase()} ${word(value)[language]}`);
    return (info?.title[language] ?? name) + (level ? ` ${level}` : '') + (details.length > 0 ? ` (${details.join(', ')})` : '');
  };
  return { en: say('en'), id: say('id') };
}

export function seatName(seat: Pick<SeatView, 'kind' | 'name' | 'spec'>, mine: boolean, words: { you: string; friend: string }, bot: string): string {
  if (seat.name) return seat.name;
  if (seat.kind === 'bot') return bot;
  return mine ? words.you : words.friend;
}
