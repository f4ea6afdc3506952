/** Every view is an address: this reads and writes them. */

export type Route =
  | { screen: 'home' }
  | { screen: 'new'; game: string; query: URLSearchParams }
  | { screen: 'play'; id: string; ply: number | null; tab: string | null }
  | { screen: 'join'; id: string; secret: string }
  | { screen: 'analyse'; query: URLSearchParams }
  | { screen: 'library'; game: string | null }
  | { screen: 'arena'; id: string | null }
  | { screen: 'lab'; part: string | null; query: URLSearchParams }
  | { screen: 'settings' }
  | { screen: 'help' }
  | { screen: 'about'; game: string | null }
  | { screen: 'missing' };

export function readRoute(path: string, search: string): Route {
  const parts = path.split('/').filter(Boolean).map(decode);
  const query = new URLSearchParams(search);
  const [first, second, third] = parts;
  if (parts.length === 0) return { screen: 'home' };
  if (first === 'new' && parts.length <= 2) return { screen: 'new', game: second ?? '', query };
  if (first === 'game' && second && parts.length === 2) {
    return { screen: 'play', id: second, ply: readPly(query.get('ply')), tab: query.get('tab') };
  }
  if (first === 'join' && second && third && parts.length === 3) return { screen: 'join', id: second, secret: third };
  if (first === 'analyse' && parts.length === 1) return { screen: 'analyse', query };
  if (first === 'library' && parts.length === 1) return { screen: 'library', game: query.get('game') };
  if (first === 'arena' && parts.length <= 2) return { screen: 'arena', id: second ?? null };
  if (first === 'lab' && parts.length <= 2) return { screen: 'lab', part: second ?? null, query };
  if (first === 'settings' && parts.length === 1) return { screen: 'settings' };
  if (first === 'help' && parts.length === 1) return { screen: 'help' };
  if (first === 'about' && parts.length <= 2) return { screen: 'about', game: second ?? null };
  return { screen: 'missing' };
}

export const newGamePath = (game: string, query?: URLSearchParams) => withQuery(`/new/${encodeURIComponent(game)}`, query);

/** A game, at an earlier ply and with a tab open where that is wanted. */
export function gamePath(id: string, ply: number | null = null, tab: string | null = null): string {
  const query = new URLSearchParams();
  if (ply !== null) query.set('ply', String(ply));
  if (tab !== null) query.set('tab', tab);
  return withQuery(`/game/${encodeURIComponent(id)}`, query);
}

/** A tournament to watch. */
export const arenaPath = (id: string) => `/arena/${encodeURIComponent(id)}`;

/** A part of the lab with its settings. */
export const labPath = (part: string, query?: URLSearchParams) => withQuery(`/lab/${part}`, query);

/** A line of play to look at: where it starts, its moves, and the ply shown. */
export interface Line {
  game: string;
  position: string | null;
  moves: string[];
  ply: number;
}

export function analysePath(line: Line): string {
  const query = new URLSearchParams({ game: line.game });
  if (line.position !== null) query.set('position', line.position);
  if (line.moves.length > 0) query.set('moves', line.moves.join(' '));
  if (line.ply !== line.moves.length) query.set('ply', String(line.ply));
  return withQuery('/analyse', query);
}

export function readLine(query: URLSearchParams): Line | null {
  const game = query.get('game');
  if (!game) return null;
  const moves = (query.get('moves') ?? '').split(' ').filter(Boolean);
  const ply = readPly(query.get('ply')) ?? moves.length;
  return { game, position: query.get('position'), moves, ply: Math.min(ply, moves.length) };
}

function readPly(text: string | null): number | null {
  return text !== null && /^\d{1,5}$/.test(text) ? Number(text) : null;
}

function withQuery(path: string, query: URLSearchParams | undefined): string {
  const text = query?.toString() ?? '';
  return text === '' ? path : `${path}?${text}`;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
