/**
 * The live connection of one game. It reconnects by itself with growing
 * pauses; the server's first message after each connect is the whole view, so
 * nothing has to be replayed.
 */

import type { ClientMessage, ServerMessage } from './types';

/** The part of a WebSocket that is used, so that tests can bring their own. */
export interface Socket {
  onopen: (() => void) | null;
  onclose: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  send(data: string): void;
  close(): void;
}

export interface LiveHandlers {
  message(message: ServerMessage): void;
  /** `true` once connected, `false` when the connection was lost. */
  connected(on: boolean): void;
}

const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 5_000;
const PING_EVERY = 5_000;
/** Every ping is answered: a connection that says nothing for so long is dead, though nobody closed it. */
const LONGEST_SILENCE = 12_000;

export class Live {
  #socket: Socket | null = null;
  #open = false;
  #stopped = false;
  #pause = FIRST_PAUSE;
  #heardAt = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #ping: ReturnType<typeof setInterval> | undefined;

  constructor(
    private readonly url: string,
    private readonly handlers: LiveHandlers,
    private readonly connect: (url: string) => Socket = (address) => new WebSocket(address) as Socket,
  ) {
    this.#start();
  }

  /** False if there is no connection now: the caller keeps what it wanted to say. */
  send(message: ClientMessage): boolean {
    if (!this.#open || !this.#socket) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  /** Ends the connection for good. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#retry);
    clearInterval(this.#ping);
    this.#socket?.close();
  }

  #start(): void {
    const socket = this.connect(this.url);
    this.#socket = socket;
    socket.onopen = () => {
      this.#open = true;
      this.#pause = FIRST_PAUSE;
      this.#heardAt = performance.now();
      this.#ping = setInterval(() => this.#check(socket), PING_EVERY);
      this.handlers.connected(true);
    };
    socket.onmessage = (event) => {
      this.#heardAt = performance.now();
      const message = read(event.data);
      if (message && !this.#stopped) this.handlers.message(message);
    };
    socket.onclose = () => this.#closed();
  }

  #check(socket: Socket): void {
    if (performance.now() - this.#heardAt < LONGEST_SILENCE) {
      this.send({ type: 'ping' });
      return;
    }
    // To close a dead connection can take long: what comes of it no longer matters.
    socket.onclose = null;
    socket.onmessage = null;
    socket.close();
    this.#closed();
  }

  #closed(): void {
    clearInterval(this.#ping);
    if (this.#stopped) return;
    if (this.#open) this.handlers.connected(false);
    this.#open = false;
    this.#retry = setTimeout(() => this.#start(), this.#pause);
    this.#pause = Math.min(LONGEST_PAUSE, this.#pause * 2);
  }
}

function read(data: unknown): ServerMessage | null {
  try {
    return JSON.parse(String(data)) as ServerMessage;
  } catch {
    return null;
  }
}

/** The address of a game's live connection, with every seat's token that this browser holds. */
export function liveUrl(origin: string, id: string, tokens: string[]): string {
  const address = `${origin.replace(/^http/, 'ws')}/api/games/${encodeURIComponent(id)}/live`;
  return tokens.length === 0 ? address : `${address}?token=${tokens.map(encodeURIComponent).join(',')}`;
}
