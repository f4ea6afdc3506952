/** One game as this browser sees it: the live view, who may move here, hints and thoughts. */

import { game as fetchGame, wordsOf } from '../api/client';
import { Live, liveUrl } from '../api/live';
import type { GameView, Hint, MoveEntry, ServerMessage, Side, Thinking, Words } from '../api/types';
import { withDrawers } from '../board/changes';
import { evaluationOfHint, evaluationOfThought } from './evaluation';
import { Evaluations } from './evaluations.svelte';
import { isEngine } from './names';
import { GONE } from '../i18n/both';
import { heldSeats, heldTokens, lastGame, rememberGame } from './seats';
import { speech } from './speech.svelte';
import { clockHeard, type HeardClock, type HeardThinking, thinkingHeard } from './timing';

export class Session {
  view: GameView | null = $state.raw(null);
  /** The clocks, to count down from. */
  clock: HeardClock | null = $state.raw(null);
  connected = $state(true);
  /** How far the bot at work is. */
  working: HeardThinking | null = $state.raw(null);
  /** The last thing the bot thought, kept after its move. */
  lastThought: Thinking | null = $state.raw(null);
  hintRunning = $state(false);
  /** How far the search for the hint is. */
  seeking: HeardThinking | null = $state.raw(null);
  problem: Words | null = $state.raw(null);
  /** Why there is nothing to show at all. */
  missing: Words | null = $state.raw(null);
  readonly evaluations = new Evaluations();

  /** The next game of the same two, once the other player started it. */
  rematch: { id: string; join: string | null } | null = $state.raw(null);

  /** The seats of this browser. */
  readonly mine: Side[];
  readonly joinPaths: Partial<Record<string, string>>;
  readonly #tokens: string[];
  #live: Live | null = null;
  #ended = false;

  constructor(readonly id: string) {
    const held = heldSeats(id);
    this.#tokens = heldTokens(id);
    this.mine = (['first', 'second'] as const).filter((side) => held.tokens[side] !== undefined);
    this.joinPaths = held.join;
    void this.#begin();
  }

  /** May this browser move now? */
  get myTurn(): boolean {
    const view = this.view;
    return view !== null && !view.over && this.mine.includes(view.to_move);
  }

  /** May this browser do more than look? */
  get takesPart(): boolean {
    return this.#tokens.length > 0;
  }

  get watchesBots(): boolean {
    return this.view?.seats.every((seat) => seat.kind === 'bot') ?? false;
  }

  get thinking(): Thinking | null {
    return this.working?.thinking ?? null;
  }

  /** Whose bot is at work, as far as is known: nothing is while the connection is lost. */
  get atWork(): Side | null {
    if (!this.connected || !this.view) return null;
    const index = this.view.seats.findIndex((seat) => seat.thinking);
    return index < 0 ? null : index === 0 ? 'first' : 'second';
  }

  async #begin(): Promise<void> {
    try {
      this.#accept(await fetchGame(this.id));
    } catch (error) {
      this.missing = wordsOf(error);
      return;
    }
    if (this.#ended) return;
    this.#live = new Live(liveUrl(location.origin, this.id, this.#tokens), {
      message: (message) => this.#receive(message),
      connected: (on) => {
        this.connected = on;
        // A hint is sought for one connection; the bot's thoughts will be told anew.
        this.hintRunning = false;
        this.working = null;
      },
    });
  }

  play(move: string): void {
    if (!this.view) return;
    this.problem = null;
    this.#send({ type: 'move', move, ply: this.view.ply });
  }

  command(type: 'undo' | 'redo' | 'resign'): void {
    if (this.view) this.#send({ type, ply: this.view.ply });
  }

  /** Answers the other person's wish to take a move back. */
  answerUndo(yes: boolean): void {
    this.#send({ type: yes ? 'undo_accept' : 'undo_decline' });
  }

  abandon(): void {
    this.#send({ type: 'end' });
  }

  askHint(): void {
    this.seeking = null;
    this.hintRunning = this.#send({ type: 'hint' });
  }

  stopHint(): void {
    this.hintRunning = false;
    this.#send({ type: 'stop' });
  }

  pause(on: boolean): void {
    this.#send({ type: 'pause', on });
  }

  speed(ms: number): void {
    this.#send({ type: 'speed', ms });
  }

  /** Leaves the game; it stays on the server. */
  close(): void {
    this.#ended = true;
    this.#live?.stop();
  }

  /** False if there is no connection now. */
  #send(message: Parameters<Live['send']>[0]): boolean {
    const sent = this.#live?.send(message) ?? false;
    if (!sent) this.connected = false;
    return sent;
  }

  #receive(message: ServerMessage): void {
    switch (message.type) {
      case 'view':
        return this.#accept(message.view);
      case 'thinking':
        return this.#hear(message);
      case 'seeking':
        if (message.ply === this.view?.ply) this.seeking = thinkingHeard(this.seeking, message, performance.now());
        return;
      case 'rematch':
        this.rematch = message;
        return;
      case 'deleted':
        return this.#gone();
      case 'hint':
        return this.#take(message);
      case 'error':
        this.problem = message.message;
        this.hintRunning = false;
        speech.say(message.message);
    }
  }

  /** Its maker deleted it. */
  #gone(): void {
    this.close();
    if (lastGame() === this.id) rememberGame(null);
    this.missing = GONE;
    speech.say(this.missing);
  }

  #accept(view: GameView): void {
    const changed = view.ply !== this.view?.ply || view.over !== this.view.over;
    if (changed) {
      this.#rememberThought();
      this.working = null;
      this.hintRunning = false;
      this.problem = null;
      if (this.view) speech.say(view.announcement);
    }
    if (!view.seats.some((seat) => seat.thinking)) this.working = null;
    this.evaluations.forgetFrom(sharedMoves(this.view?.moves ?? [], view.moves) + 1);
    this.view = { ...view, scene: withDrawers(view.scene, view.moves) };
    this.clock = { clock: view.clock, at: performance.now() };
    rememberGame(view.over ? null : view.id);
  }

  /** The bot at work is so far, and so are the clocks. */
  #hear(thinking: Thinking): void {
    const now = performance.now();
    this.working = thinkingHeard(this.working, thinking, now);
    if (thinking.move !== null) this.lastThought = thinking;
    if (thinking.clock) this.clock = clockHeard(this.clock, thinking.clock, now);
  }

  #take(hint: Hint): void {
    const view = this.view;
    if (!view || (hint.ply ?? view.ply) !== view.ply) return;
    // What was on its way when the hint was stopped is no longer sought.
    if (!hint.done && !this.hintRunning) return;
    this.hintRunning = !hint.done;
    this.evaluations.know(view.ply, evaluationOfHint(hint, view.to_move));
  }

  /** A bot's last thought before its move is an evaluation of that position. */
  #rememberThought(): void {
    const { thinking, view } = this;
    const bot = thinking?.seat && view?.seats[thinking.seat === 'first' ? 0 : 1].spec;
    // Only engines value in points; other bots' estimates are in units of their own.
    const evaluation = bot && isEngine(bot) && evaluationOfThought(thinking, view.to_move);
    if (evaluation && !this.evaluations.at(view.ply)) this.evaluations.know(view.ply, evaluation);
  }
}

/** How many moves two games have in common from the start. */
function sharedMoves(a: MoveEntry[], b: MoveEntry[]): number {
  const differs = a.findIndex((entry, index) => entry.move !== b[index]?.move);
  return differs < 0 ? a.length : differs;
}
