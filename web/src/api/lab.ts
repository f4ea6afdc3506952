/** The lab's searches, exercises and experiments, as the server gives them. */

import { post, request } from './client';
import { follow, type Follower } from './events';
import type { Scene, Side, Words } from './types';

/** Which search: the same question has the same answer. */
export interface Question {
  game: string;
  position: string | null;
  bot: string;
}

export type Layer = 'max' | 'min';
/** What a number says of the value of plain minimax to the same depth, as MAX sees it. */
export type Bound = 'exact' | 'at_least' | 'at_most';
/** Alpha and beta. */
export type Bounds = [string, string];

export interface CutView {
  by: string;
  skipped: string[];
  has: string;
  bound: string;
  words: Words;
}

/** A position of a search tree; values are MAX's. */
export interface NodeView {
  id: number;
  parent: number | null;
  move: string | null;
  /** What people call that move. */
  name: string | null;
  ply: number;
  layer: Layer;
  to_move: Side;
  score: number | null;
  bound: Bound | null;
  /** Both as people read them: `≤ 0`. */
  value: string;
  /** Does best play lead through it? */
  best_line: boolean;
  entry: Bounds;
  exit: Bounds;
  leaf: 'over' | 'horizon' | 'table' | null;
  cut: CutView | null;
  children: number;
  size: number;
  /** The steps at which the search enters and leaves it. */
  entered: number;
  left: number;
}

export interface PlyCount {
  nodes: number;
  leaves: number;
  cuts: number;
}

export interface PseudocodeLine {
  indent: number;
  text: Words;
  pruning: boolean;
}

export interface Tree {
  game: string;
  position: string;
  bot: string;
  best: string;
  value: number | null;
  exact: boolean;
  pv: string[];
  /** The chosen move, its value and best play. */
  conclusion: Words;
  depth: number;
  nodes: number;
  leaves: number;
  cuts: number;
  kept: number;
  steps: number;
  by_ply: PlyCount[];
  pseudocode: PseudocodeLine[];
  shown: number;
  tree: NodeView[];
}

export interface BoardOfNode {
  node: NodeView;
  scene: Scene;
  position: string;
}

/** A position that the search is in, as it stands after a step. */
export interface Standing {
  node: NodeView;
  window: Bounds;
  best: string | null;
  looked_at: number;
}

export interface Step {
  number: number;
  kind: 'enter' | 'leaf' | 'cut' | 'return' | 'stopped';
  node: NodeView;
  path: Standing[];
  /** What is right below each position of the path, near the path. */
  near: NodeView[][];
  lines: number[];
  words: Words;
  scene: Scene;
  position: string;
}

export interface Counts {
  nodes: number;
  leaves: number;
  cuts: number;
  seconds: number;
  stopped: boolean;
}

function address(path: string, question: Question, rest: Record<string, string | number | boolean> = {}): string {
  const query = new URLSearchParams({ game: question.game, bot: question.bot });
  if (question.position) query.set('position', question.position);
  for (const [key, value] of Object.entries(rest)) query.set(key, String(value));
  return `/api/lab/${path}?${query}`;
}

type Signal = { signal?: AbortSignal };

export const tree = (question: Question, nodes: number, init: Signal = {}) =>
  request<Tree>(address('tree', question, { nodes }), init);
export const children = (question: Question, id: number, from: number, nodes: number) =>
  request<NodeView[]>(address('tree/children', question, { id, from, nodes }));
export const node = (question: Question, id: number, signal: AbortSignal) =>
  request<BoardOfNode>(address('tree/node', question, { id }), { signal });
export const step = (question: Question, n: number) => request<Step>(address('tree/step', question, { n }));
export const cutStep = (question: Question, n: number, back: boolean) =>
  request<{ step: number | null }>(address('tree/cut', question, { n, back }));
export const counts = (question: Question, init: Signal = {}) => request<Counts>(address('counts', question), init);
export const pictureUrl = (question: Question, nodes: number, format: 'svg' | 'dot' | 'html', language: string) =>
  address('tree/picture', question, { nodes, format, language });

export type StepMark = 'uphill' | 'plateau' | 'downhill' | 'optimum' | 'rejected';

/** A look of a local search at its neighbours. */
export interface LocalStep {
  restart: number;
  step: number;
  before: number;
  neighbours: { move: string; score: number; value: string }[];
  taken: string | null;
  score: number;
  mark: StepMark;
  temperature: number | null;
}

export interface Generation {
  number: number;
  best: number;
  mean: number;
  diversity: number;
}

export interface Snapshot {
  simulations: number;
  moves: { move: string; visits: number; mean: number }[];
}

export interface Run {
  game: string;
  position: string;
  bot: string;
  best: string;
  value: string;
  nodes: number;
  improvements: { move: string; score: number; depth: number; nodes: number }[];
  steps: LocalStep[];
  steps_in_all: number;
  generations: Generation[];
  visits: Snapshot[];
  scene: Scene;
}

export interface Plan {
  plan: string[];
  fitness: number;
}

export interface Child extends Plan {
  generation: number;
  parents: number[];
  cut: number | null;
  inherited: string[];
  redrawn: [number, 'mutated' | 'repaired'][];
}

export const run = (question: Question, init: Signal = {}) => request<Run>(address('run', question), init);
export const generation = (question: Question, n: number, signal: AbortSignal) =>
  request<{ population: Plan[]; children: Child[] }>(address('run/generation', question, { n }), { signal });

export interface ExerciseNode {
  layer: Layer;
  children: number[];
  value: number | null;
}

export interface Exercise {
  nodes: ExerciseNode[];
}

export interface Verdict {
  right: boolean;
  node: number | null;
  mistake: 'value' | 'missing' | 'too_much' | 'too_little' | 'unknown' | null;
  words: Words;
}

/** Which exercise: the worked example of the report, or one by difficulty and seed. */
export type ExerciseName = { example: true } | { difficulty: number; seed: number };

function exerciseUrl(name: ExerciseName): string {
  const query = 'example' in name ? 'example=true' : `difficulty=${name.difficulty}&seed=${name.seed}`;
  return `/api/lab/exercise?${query}`;
}

export const exercise = (name: ExerciseName, signal: AbortSignal) => request<Exercise>(exerciseUrl(name), { signal });
export const checkExercise = (name: ExerciseName, answer: { values: Record<number, number>; pruned: number[] | null }) =>
  post<Verdict>(exerciseUrl(name), answer);

export interface Experiment {
  game: string;
  bots: string[];
  depths: number[];
  positions: number;
  plies: number;
  games: number;
  seeds: number[];
}

export interface Measurement {
  bot: string;
  depth: number;
  nodes: number;
  leaves: number;
  cuts: number;
  seconds: number;
  branching: number | null;
}

export interface Pairing {
  depth: number;
  first: string;
  second: string;
  wins: number;
  draws: number;
  losses: number;
  score: [number, number, number] | null;
}

export interface ExperimentStanding {
  id: string;
  running: boolean;
  /** It goes on as soon as somebody follows it and there is room. */
  waiting: boolean;
  done: number;
  of: number;
  /** Ended before its end: the results are those of the parts that were done. */
  stopped: boolean;
  results: { partial: boolean; experiment: Experiment; positions: string[]; measurements: Measurement[]; pairings: Pairing[] } | null;
}

const experimentPath = (id: string) => `/api/lab/experiments/${encodeURIComponent(id)}`;
export const beginExperiment = (wanted: Experiment) => post<ExperimentStanding>('/api/lab/experiments', wanted);
export const followExperiment = (id: string, follower: Follower<ExperimentStanding>) => follow(experimentPath(id), follower);
export const stopExperiment = (id: string) => post<ExperimentStanding>(experimentPath(id), { running: false });
export const experimentReportUrl = (id: string, format: 'html' | 'csv' | 'json', language: string) =>
  `${experimentPath(id)}/report?format=${format}&language=${language}`;
