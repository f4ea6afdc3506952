/** An experiment in its address: whoever opens it can run the same one. */

import type { Experiment } from '../../api/lab';

const USUAL: Experiment = {
  game: 'tic-tac-toe',
  bots: ['minimax', 'alpha-beta', 'alpha-beta:order=preference'],
  depths: [1, 2, 3, 4],
  positions: 5,
  plies: 2,
  games: 10,
  seed: 1,
};

export function readExperiment(query: URLSearchParams): Experiment {
  const number = (name: 'positions' | 'plies' | 'games' | 'seed') => {
    const text = query.get(name);
    return text !== null && /^\d+$/.test(text) ? Number(text) : USUAL[name];
  };
  const bots = query.getAll('bot').filter(Boolean);
  const depths = (query.get('depths') ?? '').split(',').map(Number).filter((depth) => Number.isInteger(depth) && depth > 0);
  return {
    game: query.get('game') ?? USUAL.game,
    bots: bots.length > 0 ? bots : [...USUAL.bots],
    depths: depths.length > 0 ? depths : [...USUAL.depths],
    positions: number('positions'),
    plies: number('plies'),
    games: number('games'),
    seed: number('seed'),
  };
}

export function writeExperiment(wanted: Experiment, id: string | null): URLSearchParams {
  const query = new URLSearchParams({ game: wanted.game });
  for (const bot of wanted.bots) query.append('bot', bot);
  query.set('depths', wanted.depths.join(','));
  for (const name of ['positions', 'plies', 'games', 'seed'] as const) query.set(name, String(wanted[name]));
  if (id !== null) query.set('id', id);
  return query;
}
