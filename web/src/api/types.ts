/** The server's JSON, as the page reads it. */

export type Side = 'first' | 'second';
export type Words = { en: string; id: string };

export type ShapeKind = 'cell' | 'mark' | 'disc' | 'line' | 'box' | 'dot';
export type Look = 'cross' | 'ring' | 'dark' | 'light';

export interface PlayerLook {
  name: Words;
  symbol: string;
  look: Look;
}

export interface Shape {
  /** Stable over the whole game: an id that changes owner turns over. */
  id: string;
  kind: ShapeKind;
  x: number;
  y: number;
  w: number;
  h: number;
  owner: Side | null;
  present: boolean;
  /** The move that this shape stands for. */
  mv: string | null;
  /** What people call that move, where its text is not made for them. */
  move_name?: string;
  playable: boolean;
  label: { place: Words; state: Words };
}

export interface Scene {
  width: number;
  height: number;
  players: [PlayerLook, PlayerLook];
  to_move: Side | null;
  column_labels: string[];
  row_labels: string[];
  /** Moves that no shape stands for, such as a pass. */
  other_moves: [string, Words][];
  shapes: Shape[];
}

export type OptionSpec = { name: string; about: Words } & (
  | { type: 'integer'; min: number; max: number; default: number | null }
  | { type: 'number'; min: number; max: number; default: number }
  | { type: 'choice'; values: string[]; default: string }
  | { type: 'flag'; default: boolean }
  | { type: 'time' }
);

export interface BotInfo {
  name: string;
  title: Words;
  about: Words;
  options: OptionSpec[];
  /** Can the lab show its search as a tree? */
  searches_tree: boolean;
}

export interface GameInfo {
  name: string;
  title: Words;
  about: Words;
  options: OptionSpec[];
  rules: Words;
  bots: BotInfo[];
  engine_levels: number | null;
  /** What its games can be saved as. */
  formats: FormatInfo[];
}

export interface FormatInfo {
  name: string;
  title: Words;
  /** What a file's name ends with. */
  extension: string;
}

export interface Catalog {
  version: string;
  games: GameInfo[];
  /** What people read for the names of options and their choices. */
  words: Record<string, Words>;
  /** Names that were given up, with those of today: of bots, and of choices as `option=choice`. */
  renamed: Record<string, string>;
}

export type SeatRequest =
  | { kind: 'person'; name: string }
  | { kind: 'link'; name: string }
  | { kind: 'bot'; spec: string; name: string | null };

export type ClockRequest =
  | { kind: 'none' }
  | { kind: 'move'; ms: number }
  | { kind: 'game'; ms: number; increment_ms: number };

export interface NewGameRequest {
  game: string;
  position: string | null;
  seats: [SeatRequest, SeatRequest];
  clock: ClockRequest;
}

/** The same game again with sides swapped. The key tells the other player of it. */
export interface RematchRequest {
  swap_of: string;
  token?: string;
}

export interface SeatView {
  kind: 'person' | 'link' | 'bot';
  name: string | null;
  spec: string | null;
  thinking: boolean;
  joined: boolean;
}

export interface ClockView {
  kind: 'none' | 'move' | 'game';
  remaining_ms?: [number, number] | null;
  running?: Side | null;
  limit_ms?: number | null;
  increment_ms?: number | null;
}

export interface Result {
  winner: Side | null;
  reason: string;
  text: Words;
}

export interface MoveEntry {
  ply: number;
  by: Side;
  move: string;
  note: Words | null;
}

export interface GameView {
  id: string;
  game: string;
  title: Words;
  start: string;
  position: string;
  ply: number;
  to_move: Side;
  over: boolean;
  result: Result | null;
  points: [number, number];
  margin: number;
  /** No margin of this game is beyond plus or minus this. */
  bound: number;
  status: [Words, string][];
  scene: Scene;
  legal: string[];
  moves: MoveEntry[];
  last_move: string | null;
  can_undo: boolean;
  can_redo: boolean;
  can_hint?: boolean;
  /** Who asks the other person to let a move be taken back. */
  undo_offer?: Side | null;
  seats: [SeatView, SeatView];
  clock: ClockView;
  announcement: Words | null;
  paused: boolean;
  speed_ms: number;
}

export interface NewGameAnswer {
  id: string;
  tokens: Partial<Record<Side | 'watch', string>>;
  join: Partial<Record<Side, string>>;
  view: GameView;
}

export interface JoinAnswer {
  seat: Side;
  token: string;
  view: GameView;
}

export interface Summary {
  id: string;
  game: string;
  title: Words;
  seats: [SeatView, SeatView];
  ply: number;
  over: boolean;
  result: Result | null;
  points: [number, number];
  /** Milliseconds since 1970. */
  updated_ms: number;
}

export interface SummaryPage {
  games: Summary[];
  next: string | null;
}

/** One board of a line of play, as `/api/board` gives it. */
export interface Board {
  ply: number;
  position: string;
  scene: Scene | null;
  points: [number, number];
  margin: number;
  to_move: Side;
  over: boolean;
  legal: string[];
  status: [Words, string][];
  move: string | null;
  by: Side | null;
}

export interface BoardLine {
  game: string;
  start: string;
  /** No margin of this game is beyond plus or minus this. */
  bound: number;
  boards: Board[];
}

/** A move with what is known of it. */
export interface MoveLine extends Omit<MoveValue, 'value'> {
  /** None where nothing is known. */
  value: number | null;
}

export interface MoveValue {
  move: string;
  /** For the player who makes the move. */
  value: number;
  /** The margin at the end of the game, where `value` counts otherwise. */
  final?: number | null;
  exact: boolean;
  /** Where the value is only known to be no more, or no less, than this. */
  bound?: 'at_most' | 'at_least' | null;
  /** Does it stand for a line that ends the game, beyond any estimate beside it? */
  decided?: boolean;
}

/** How far a search is. */
export interface Thinking {
  seat?: Side;
  /** Does it still wait for a thread? */
  waiting: boolean;
  /** The best move so far, if there is one yet. */
  move: string | null;
  score: number | null;
  /** As of `MoveValue`. */
  final?: number | null;
  /** Plies of look-ahead behind the best move. */
  depth: number;
  /** Plies of look-ahead under way, for searches that go by depth. */
  depth_under_way: number | null;
  nodes: number;
  /** Since it began or, while it waits, since it was asked for. */
  elapsed_ms: number;
  limit_ms?: number | null;
  /** The clock as it stands, of a bot at its move. */
  clock?: ClockView;
}

/** Something worth pointing at in a position, such as a chain or a threat. */
export interface Insight {
  kind: string;
  label: Words;
  player: Side | null;
  /** The ids of the scene's shapes that it consists of. */
  shapes: string[];
  moves: string[];
}

export interface Analysis {
  game: string;
  position: string;
  to_move: Side;
  /** None where the bot says nothing of it. */
  value: number | null;
  /** As of `MoveValue`. */
  final?: number | null;
  exact: boolean;
  bound?: 'at_most' | 'at_least' | null;
  decided?: boolean;
  /** The bot's own move, then every other that is proven to be as good. */
  best: string[];
  best_complete?: boolean;
  /** Every legal move, best first. */
  moves: MoveLine[];
  nodes: number;
  /** How long it took; a review does not say. */
  seconds?: number;
  depth: number;
  pv: string[];
  insights?: Insight[];
}

export interface Hint {
  move: string;
  /** As of `Analysis`. */
  value: number | null;
  /** As of `MoveValue`. */
  final?: number | null;
  exact: boolean;
  bound?: 'at_most' | 'at_least' | null;
  decided?: boolean;
  depth: number;
  pv: string[];
  /** As of `Analysis`. */
  best: string[];
  best_complete?: boolean;
  per_move: MoveLine[];
  /** The ply that the hint is for. */
  ply?: number;
  done: boolean;
}

export type ServerMessage =
  | { type: 'view'; view: GameView }
  | ({ type: 'thinking' } & Thinking)
  | ({ type: 'seeking'; ply: number } & Thinking)
  | ({ type: 'hint' } & Hint)
  | { type: 'error'; code: string; message: Words }
  | { type: 'rematch'; id: string; join: string | null }
  | { type: 'deleted' }
  | { type: 'pong' };

export type ClientMessage =
  | { type: 'move'; move: string; ply: number }
  | { type: 'undo' | 'redo' | 'resign'; ply: number }
  | { type: 'end' | 'hint' | 'stop' | 'ping' | 'undo_accept' | 'undo_decline' }
  | { type: 'speed'; ms: number }
  | { type: 'pause'; on: boolean };
