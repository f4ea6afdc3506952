import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { follow, readEvents } from './events';
import { Live, liveUrl, type Socket } from './live';
import type { ServerMessage } from './types';

class FakeSocket implements Socket {
  static all: FakeSocket[] = [];
  onopen: (() => void) | null = null;
  onclose: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  sent: string[] = [];
  closed = false;
  constructor() {
    FakeSocket.all.push(this);
  }
  send(data: string): void {
    this.sent.push(data);
  }
  close(): void {
    this.closed = true;
    this.onclose?.();
  }
}

describe('the live connection', () => {
  const heard: ServerMessage[] = [];
  const states: boolean[] = [];
  let live: Live;
  const socket = () => FakeSocket.all.at(-1) as FakeSocket;

  beforeEach(() => {
    vi.useFakeTimers();
    FakeSocket.all = [];
    heard.length = 0;
    states.length = 0;
    live = new Live(
      'ws://x',
      { message: (message) => heard.push(message), connected: (on) => states.push(on) },
      () => new FakeSocket(),
    );
  });
  afterEach(() => {
    live.stop();
    vi.useRealTimers();
  });

  it('sends only while connected and says so', () => {
    expect(live.send({ type: 'ping' })).toBe(false);
    socket().onopen?.();
    expect(live.send({ type: 'move', move: 'd3', ply: 7 })).toBe(true);
    expect(socket().sent).toEqual(['{"type":"move","move":"d3","ply":7}']);
  });

  it('comes back by itself with growing pauses', () => {
    socket().onopen?.();
    socket().onclose?.();
    expect(states).toEqual([true, false]);
    vi.advanceTimersByTime(250);
    expect(FakeSocket.all).toHaveLength(2);
    socket().onclose?.();
    vi.advanceTimersByTime(250);
    expect(FakeSocket.all).toHaveLength(2);
    vi.advanceTimersByTime(250);
    expect(FakeSocket.all).toHaveLength(3);
    socket().onopen?.();
    expect(states).toEqual([true, false, true]);
  });

  it('gives up a connection that is open but silent', () => {
    socket().onopen?.();
    vi.advanceTimersByTime(10_000);
    expect(socket().sent).toEqual(['{"type":"ping"}', '{"type":"ping"}']);
    socket().onmessage?.({ data: '{"type":"pong"}' });
    vi.advanceTimersByTime(10_000);
    expect(states).toEqual([true]);
    vi.advanceTimersByTime(5_000);
    expect(states).toEqual([true, false]);
    vi.advanceTimersByTime(250);
    expect(FakeSocket.all).toHaveLength(2);
    socket().onopen?.();
    expect(states).toEqual([true, false, true]);
  });

  it('stays closed once stopped, and survives nonsense', () => {
    socket().onopen?.();
    socket().onmessage?.({ data: '{' });
    socket().onmessage?.({ data: '{"type":"pong"}' });
    expect(heard).toEqual([{ type: 'pong' }]);
    live.stop();
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all).toHaveLength(1);
    expect(socket().closed).toBe(true);
  });

  it('has an address with every key that this browser holds', () => {
    expect(liveUrl('http://h:1', 'a/b', [])).toBe('ws://h:1/api/games/a%2Fb/live');
    expect(liveUrl('https://h', 'a', ['x', 'y'])).toBe('wss://h/api/games/a/live?token=x,y');
  });
});

it('reads events however the stream is cut into pieces', () => {
  const whole = ': keep-alive\n\nevent: thinking\ndata: {"a":1}\n\nevent: result\r\ndata: {"b":2}\r\n\r\n';
  for (let cut = 0; cut <= whole.length; cut += 1) {
    const first = readEvents(whole.slice(0, cut));
    const second = readEvents(first.rest + whole.slice(cut));
    expect([...first.events, ...second.events]).toEqual([
      { name: 'thinking', data: '{"a":1}' },
      { name: 'result', data: '{"b":2}' },
    ]);
  }
});

describe('following a piece of work', () => {
  const state = (played: number) => `event: state\ndata: {"played":${played}}\n\n`;
  const END = 'event: end\ndata: {}\n\n';
  let answers: (string | number | null)[] = [];
  let asked: AbortSignal[] = [];
  let states: unknown[] = [];
  let errors: string[] = [];
  let stop = () => {};

  /** Each connection gets the next answer: a stream that ends, an error's status, or silence. */
  function begin(...given: (string | number | null)[]): void {
    [answers, asked, states, errors] = [given, [], [], []];
    vi.useFakeTimers();
    vi.stubGlobal('fetch', (_: string, { signal }: { signal: AbortSignal }) => {
      const answer = answers[asked.push(signal) - 1];
      if (typeof answer === 'number') return Promise.resolve(Response.json({ error: { code: answer === 404 ? 'not_found' : 'busy', message: { en: 'No.', id: 'Tidak.' } } }, { status: answer }));
      if (typeof answer === 'string') return Promise.resolve(new Response(answer));
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    stop = follow('/x', { state: (found) => states.push(found), failed: (error) => errors.push((error as Error).message) });
  }
  afterEach(() => {
    stop();
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  it('hears every state and ends with the work', async () => {
    begin(state(1) + ':\n\n' + state(2) + END);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([states, errors, asked.length]).toEqual([[{ played: 1 }, { played: 2 }], [], 1]);
  });

  it('comes back with growing pauses after a cut, an error or a silence', async () => {
    begin(state(1), 503, 503, null, state(2) + END);
    await vi.advanceTimersByTimeAsync(300);
    expect([asked.length, errors]).toEqual([2, ['No.']]);
    await vi.advanceTimersByTimeAsync(400);
    expect(asked.length).toBe(2);
    await vi.advanceTimersByTimeAsync(100);
    expect(asked.length).toBe(3);
    await vi.advanceTimersByTimeAsync(20_000);
    expect([asked.length, asked[3]?.aborted, states]).toEqual([5, true, [{ played: 1 }, { played: 2 }]]);
  });

  it('is not tried again where there is nothing, nor once its screen is left', async () => {
    begin(404);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([asked.length, errors]).toEqual([1, ['No.']]);
    begin(null);
    stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([asked.length, asked[0]?.aborted, errors]).toEqual([1, true, []]);
  });
});
