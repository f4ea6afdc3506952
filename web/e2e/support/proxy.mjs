/** A network between browser and server that can be slow, cut, or silent. */

import { once } from 'node:events';
import net from 'node:net';

/** Listens on a free port and passes everything on to `target` (host:port). */
export async function startProxy(target) {
  const proxy = new Proxy(new URL(target));
  await proxy.start();
  return proxy;
}

class Proxy {
  /** Everything is this late, both ways. */
  delay = 0;
  #pairs = new Set();
  #refusing = false;

  constructor(target) {
    this.target = target;
    this.server = net.createServer((client) => this.#accept(client));
  }

  async start() {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    this.url = `http://127.0.0.1:${this.server.address().port}`;
  }

  /** Cuts every connection, and refuses new ones until `mend`. */
  cut() {
    this.#refusing = true;
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
  }

  mend() {
    this.#refusing = false;
  }

  async stop() {
    this.cut();
    this.server.close();
    await once(this.server, 'close');
  }

  #accept(client) {
    if (this.#refusing) return client.destroy();
    const server = net.connect(Number(this.target.port), this.target.hostname);
    const pair = [client, server];
    this.#pairs.add(pair);
    this.#pass(client, server);
    this.#pass(server, client);
    for (const socket of pair) {
      socket.on('error', () => socket.destroy());
      socket.on('close', () => this.#pairs.delete(pair));
    }
  }

  #pass(from, to) {
    from.on('data', (chunk) => setTimeout(() => to.destroyed || to.write(chunk), this.delay));
    from.on('end', () => setTimeout(() => to.end(), this.delay));
    from.on('close', () => setTimeout(() => to.destroy(), this.delay));
  }
}
