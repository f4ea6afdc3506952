/** An experiment in its address: whoever opens it can run the same one. */

import type { Experiment } from '../../api/lab';

const USUAL: Experiment = {
  game: 'tic-tac-toe',
  bots: ['minimax', 'alpha-beta', 'alpha-beta:order=preference'],
  depths: [1, 2, 3, 4],
  positions: 5,
  plies: 2,
  games: 10,
  seeds: [1],
};

/** Whole numbers of at least `least`, separated by commas or spaces; nothing if one of them is not. */
export function readNumbers(text: string, least: number): number[] | null {
  const parts = text.split(/[\s,;]+/).filter(Boolean);
  const numbers = parts.map(Number);
  return numbers.every((number) => Number.isSafeInteger(number) && number >= least) ? numbers : null;
}

export function readExperiment(query: URLSearchParams): Experiment {
  const number = (name: 'positions' | 'plies' | 'games') => {
    const text = query.get(name);
    return text !== null && /^\d+$/.test(text) ? Number(text) : USUAL[name];
  };
  const bots = query.getAll('bot').filter(Boolean);
  const depths = readNumbers(query.get('depths') ?? '', 1) ?? [];
  const seeds = readNumbers(query.get('seeds') ?? '', 0) ?? [];
  return {
    game: query.get('game') ?? USUAL.game,
    bots: bots.length > 0 ? bots : [...USUAL.bots],
    depths: depths.length > 0 ? depths : [...USUAL.depths],
    positions: number('positions'),
    plies: number('plies'),
    games: number('games'),
    seeds: seeds.length > 0 ? seeds : [...USUAL.seeds],
  };
}

export function writeExperiment(wanted: Experiment, id: string | null): URLSearchParams {
  const query = new URLSearchParams({ game: wanted.game });
  for (const bot of wanted.bots) query.append('bot', bot);
  query.set('depths', wanted.depths.join(','));
  query.set('seeds', wanted.seeds.join(','));
  for (const name of ['positions', 'plies', 'games'] as const) query.set(name, String(wanted[name]));
  if (id !== null) query.set('id', id);
  return query;
}
