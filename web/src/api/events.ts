/** Streams of events from the server. */

import { ApiError, stream } from './client';

export interface StreamEvent {
  name: string;
  data: string;
}

/** The finished events of a stream's text so far, and what is left of it. */
export function readEvents(text: string): { events: StreamEvent[]; rest: string } {
  const parts = text.replaceAll('\r\n', '\n').split('\n\n');
  const rest = parts.pop() ?? '';
  const field = (part: string, name: string) =>
    part
      .split('\n')
      .filter((line) => line.startsWith(`${name}:`))
      .map((line) => line.slice(name.length + 1).replace(/^ /, ''))
      .join('\n');
  const events = parts
    .map((part) => ({ name: field(part, 'event') || 'message', data: field(part, 'data') }))
    .filter((event) => event.data !== '');
  return { events, rest };
}

/** The events of a stream as they arrive; `heard` with every sign of life, heartbeats included. */
export async function* events(url: string, signal: AbortSignal, heard?: () => void): AsyncGenerator<StreamEvent> {
  let text = '';
  for await (const piece of stream(url, signal)) {
    heard?.();
    const { events, rest } = readEvents(text + piece);
    text = rest;
    yield* events;
  }
}

/** Who follows a piece of work of the server. */
export interface Follower<T> {
  /** How it stands: at first, and whenever that has changed. */
  state(state: T): void;
  /** It cannot be reached; it is tried again, unless the server does not know it. */
  failed(error: unknown): void;
}

const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 5_000;
/** The server says something every five seconds: a connection that is silent for so long is dead. */
const LONGEST_SILENCE = 12_000;

/**
 * Follows a tournament or an experiment to its end, and thereby keeps it going. Reconnects by itself with
 * growing pauses: the first event is always the whole state. Gives back what ends it. A page that is left but
 * kept by the browser, for the way back, does not follow meanwhile.
 */
export function follow<T>(path: string, follower: Follower<T>): () => void {
  let connection: AbortController | null = null;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let pause = FIRST_PAUSE;

  const connect = async () => {
    const here = new AbortController();
    connection = here;
    let silence: ReturnType<typeof setTimeout> | undefined;
    const heard = () => {
      clearTimeout(silence);
      silence = setTimeout(() => here.abort(), LONGEST_SILENCE);
    };
    heard();
    try {
      for await (const { name, data } of events(`${path}/events`, here.signal, heard)) {
        if (connection !== here) return;
        if (name === 'end') return stop();
        pause = FIRST_PAUSE;
        if (name === 'state') follower.state(JSON.parse(data) as T);
      }
    } catch (error) {
      if (connection === here && !here.signal.aborted) follower.failed(error);
      if (connection === here && error instanceof ApiError && error.code === 'not_found') stop();
    } finally {
      clearTimeout(silence);
    }
    if (connection !== here) return;
    retry = setTimeout(() => void connect(), pause);
    pause = Math.min(LONGEST_PAUSE, pause * 2);
  };
  const leave = () => {
    clearTimeout(retry);
    connection?.abort();
    connection = null;
  };
  const comeBack = ({ persisted }: PageTransitionEvent) => {
    if (persisted && connection === null) void connect();
  };
  const stop = () => {
    leave();
    globalThis.removeEventListener?.('pagehide', leave);
    globalThis.removeEventListener?.('pageshow', comeBack);
  };
  globalThis.addEventListener?.('pagehide', leave);
  globalThis.addEventListener?.('pageshow', comeBack);
  void connect();
  return stop;
}
