/** The choices of a new game: kept in the address, remembered per game, turned into a request. */

import type { ClockRequest, GameInfo, NewGameRequest, SeatRequest } from '../api/types';
import { memory } from './memory';
import { type OptionValues, isValid, readSpec, valueOf, writeSpec } from './spec';

export interface SeatSetup {
  kind: 'person' | 'link' | 'bot';
  name: string;
  /** The bot's name with its options. */
  spec: string;
}

export interface ClockSetup {
  kind: 'none' | 'move' | 'game';
  /** Seconds a move. */
  seconds: number;
  /** Minutes each for a whole game. */
  minutes: number;
  /** Seconds added a move. */
  increment: number;
}

export interface Setup {
  values: OptionValues;
  position: string;
  seats: [SeatSetup, SeatSetup];
  clock: ClockSetup;
}

const GENTLE_LEVEL = 3;
/** Who sits opposite where there is no engine, if there is such a bot. */
const USUAL_BOT = 'alpha-beta';

/** A person against a gentle engine, or against a plain search where there is no engine. */
export function defaultSetup(game: GameInfo): Setup {
  const usual = game.bots.find((candidate) => candidate.name === USUAL_BOT) ?? game.bots[0];
  const bot = game.engine_levels ? `engine:level=${GENTLE_LEVEL}` : (usual?.name ?? '');
  return {
    values: {},
    position: '',
    seats: [
      { kind: 'person', name: '', spec: bot },
      { kind: bot === '' ? 'person' : 'bot', name: '', spec: bot },
    ],
    clock: { kind: 'none', seconds: 5, minutes: 5, increment: 2 },
  };
}

export function lastSetup(game: GameInfo): Setup {
  return readSetup(game, new URLSearchParams(memory.get(`setup.${game.name}`, '')));
}

export function rememberSetup(game: GameInfo, setup: Setup): void {
  memory.set(`setup.${game.name}`, writeSetup(game, setup).toString());
}

export function gameSpec(game: GameInfo, values: OptionValues): string {
  return writeSpec({ name: game.name, values }, game.options);
}

/** Only what differs from the default, so that addresses stay short. */
export function writeSetup(game: GameInfo, setup: Setup): URLSearchParams {
  const usual = defaultSetup(game);
  const query = new URLSearchParams();
  const spec = gameSpec(game, setup.values);
  if (spec !== game.name) query.set('game', spec);
  (['first', 'second'] as const).forEach((side, index) => {
    const text = writeSeat(setup.seats[index as 0 | 1]);
    if (text !== writeSeat(usual.seats[index as 0 | 1])) query.set(side, text);
  });
  const { kind, seconds, minutes, increment } = setup.clock;
  if (kind === 'move') query.set('clock', `${seconds}s`);
  if (kind === 'game') query.set('clock', `${minutes}m+${increment}s`);
  if (setup.position.trim() !== '') query.set('position', setup.position.trim());
  return query;
}

export function readSetup(game: GameInfo, query: URLSearchParams): Setup {
  const usual = defaultSetup(game);
  const given = readSpec(query.get('game') ?? game.name).values;
  const values = Object.fromEntries(
    game.options.flatMap((option) => {
      const value = given[option.name];
      return value !== undefined && isValid(option, value) ? [[option.name, value]] : [];
    }),
  );
  return {
    values,
    position: query.get('position') ?? '',
    seats: [readSeat(query.get('first'), usual.seats[0]), readSeat(query.get('second'), usual.seats[1])],
    clock: readClock(query.get('clock'), usual.clock),
  };
}

function writeSeat(seat: SeatSetup): string {
  if (seat.kind === 'bot') return `bot ${seat.spec}`;
  return seat.name.trim() === '' ? seat.kind : `${seat.kind} ${seat.name.trim()}`;
}

function readSeat(text: string | null, usual: SeatSetup): SeatSetup {
  if (!text) return usual;
  const space = text.indexOf(' ');
  const kind = space < 0 ? text : text.slice(0, space);
  const rest = space < 0 ? '' : text.slice(space + 1);
  if (kind === 'bot') return { kind, name: '', spec: rest || usual.spec };
  return kind === 'person' || kind === 'link' ? { kind, name: rest, spec: usual.spec } : usual;
}

function readClock(text: string | null, usual: ClockSetup): ClockSetup {
  const perMove = /^(\d+(?:\.\d+)?)s$/.exec(text ?? '');
  if (perMove) return { ...usual, kind: 'move', seconds: Number(perMove[1]) };
  const perGame = /^(\d+(?:\.\d+)?)m\+(\d+(?:\.\d+)?)s$/.exec(text ?? '');
  if (perGame) return { ...usual, kind: 'game', minutes: Number(perGame[1]), increment: Number(perGame[2]) };
  return usual;
}

export function isComplete(game: GameInfo, setup: Setup): boolean {
  const options = game.options.every((option) => isValid(option, valueOf(setup.values, option)));
  const bots = setup.seats.every((seat) => seat.kind !== 'bot' || isBotComplete(game, seat.spec));
  const { kind, seconds, minutes, increment } = setup.clock;
  const clock =
    kind === 'none' || (kind === 'move' ? seconds > 0 && seconds <= 3600 : minutes > 0 && minutes <= 600 && increment >= 0);
  return options && bots && clock;
}

function isBotComplete(game: GameInfo, spec: string): boolean {
  const { name, values } = readSpec(spec);
  const bot = game.bots.find((candidate) => candidate.name === name);
  return bot !== undefined && bot.options.every((option) => isValid(option, valueOf(values, option)));
}

/** `you` is the name of a person who gave none here, perhaps none at all. */
export function requestOf(game: GameInfo, setup: Setup, you: string): NewGameRequest {
  const seat = (from: SeatSetup): SeatRequest => {
    if (from.kind === 'bot') return { kind: 'bot', spec: from.spec, name: null };
    return { kind: from.kind, name: from.name.trim() || (from.kind === 'person' ? you : '') };
  };
  return {
    game: gameSpec(game, setup.values),
    position: setup.position.trim() || null,
    seats: [seat(setup.seats[0]), seat(setup.seats[1])],
    clock: clockOf(setup.clock),
  };
}

function clockOf(clock: ClockSetup): ClockRequest {
  switch (clock.kind) {
    case 'none':
      return { kind: 'none' };
    case 'move':
      return { kind: 'move', ms: Math.round(clock.seconds * 1000) };
    case 'game':
      return { kind: 'game', ms: Math.round(clock.minutes * 60_000), increment_ms: Math.round(clock.increment * 1000) };
  }
}
