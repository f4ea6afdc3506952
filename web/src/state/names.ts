/** What the people and bots at a table are called. */

import type { BotInfo, SeatView, Words } from '../api/types';
import { readSpec } from './spec';

/** A bot's title with what was set, such as `Engine 6` or `Alpha-beta (depth=4)`. */
export function botName(info: BotInfo | undefined, spec: string): Words {
  const { name, values } = readSpec(spec);
  const { level, ...others } = values;
  const details = Object.entries(others).map(([key, value]) => `${key}=${value}`);
  const tail = (level ? ` ${level}` : '') + (details.length > 0 ? ` (${details.join(', ')})` : '');
  return { en: (info?.title.en ?? name) + tail, id: (info?.title.id ?? name) + tail };
}

export function seatName(seat: Pick<SeatView, 'kind' | 'name' | 'spec'>, mine: boolean, words: { you: string; friend: string }, bot: string): string {
  if (seat.name) return seat.name;
  if (seat.kind === 'bot') return bot;
  return mine ? words.you : words.friend;
}
