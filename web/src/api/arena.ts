/** Tournaments and matches between bots. */

import { post, request } from './client';
import { follow, type Follower } from './events';
import type { Scene, Words } from './types';

export interface Standing {
  place: number;
  entrant: number;
  name: string;
  points: number;
  games: number;
  wins: number;
  draws: number;
  losses: number;
  /** What may be said of its Elo: an estimate with its error, one end, or nothing. */
  rating: number | null;
  rating_error: number | null;
  rating_at_least: number | null;
  rating_at_most: number | null;
  mean_move_ms: number;
  faults: Record<string, number>;
}

export interface LiveGame {
  first: number;
  second: number;
  ply: number;
  score: [number, number];
  last_move: string | null;
  scene: Scene;
}

export interface Tournament {
  id: string;
  name: string;
  game: string;
  format: Format;
  running: boolean;
  /** It goes on as soon as somebody follows it and there is room. */
  waiting: boolean;
  finished: boolean;
  played: number;
  expected: number;
  trouble: string | null;
  standings: Standing[];
  warnings: Words[];
  live: LiveGame[];
}

export const FORMATS = ['round-robin', 'gauntlet', 'swiss', 'knockout'] as const;
export type Format = (typeof FORMATS)[number];

/** The keys of a tournament file. */
export interface NewTournament {
  name: string;
  game: string;
  format: Format;
  games: number;
  seed: number;
  time: string;
  bots: string[];
}

const path = (id: string) => `/api/tournaments/${encodeURIComponent(id)}`;

export interface QueueWorker {
  name: string;
  jobs: number;
  in_hand: number;
  done: number;
  rate: number;
}

export interface QueueRun {
  name: string;
  run: string;
  done: number;
  total: number;
  rate: number;
  left: number | null;
}

/** The queue of work on many machines; no status while it does not answer. */
export interface QueueView {
  watched: boolean;
  status: { workers: QueueWorker[]; runs: QueueRun[]; queued: number; in_work: number; rate: number } | null;
}

export const queue = (signal: AbortSignal) => request<QueueView>('/api/queue', { signal });
export const tournaments = () => request<{ tournaments: Tournament[] }>('/api/tournaments');
export const followTournament = (id: string, follower: Follower<Tournament>) => follow(path(id), follower);
export const beginTournament = (body: NewTournament) => post<Tournament>('/api/tournaments', body);
export const steerTournament = (id: string, running: boolean, signal: AbortSignal) => post<Tournament>(path(id), { running }, signal);
export const reportUrl = (id: string) => `${path(id)}/report`;
