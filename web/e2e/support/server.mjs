/** The real server on a free port with a database of its own. */

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const BUILT = fileURLToPath(new URL('../../../target/release/papan', import.meta.url));
const START_WITHIN = 20_000;

export async function startServer() {
  const binary = process.env.PAPAN_BIN ?? BUILT;
  if (!existsSync(binary)) {
    throw new Error(`no server at ${binary}: run \`cargo build --release\`, or set PAPAN_BIN`);
  }
  const folder = await mkdtemp(path.join(tmpdir(), 'papan-e2e-'));
  const server = new Server(binary, folder);
  await server.start();
  return server;
}

class Server {
  constructor(binary, folder) {
    this.binary = binary;
    this.folder = folder;
    this.address = '127.0.0.1:0';
  }

  async start() {
    const args = ['serve', '--addr', this.address, '--db', path.join(this.folder, 'games.db'), '--no-open'];
    this.child = spawn(this.binary, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.url = await printedUrl(this.child);
    this.address = new URL(this.url).host;
  }

  /** Ends it without warning, as a power cut would, and starts it again at the same address. */
  async crashAndRestart() {
    await ended(this.child, 'SIGKILL');
    await this.start();
  }

  async stop() {
    await ended(this.child, 'SIGTERM');
    await rm(this.folder, { recursive: true, force: true });
  }
}

function ended(child, signal) {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', resolve);
    child.kill(signal);
  });
}

function printedUrl(child) {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('the server did not print its address')), START_WITHIN);
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      const found = /https?:\/\/[^\s/]+/.exec(text);
      if (!found) return;
      clearTimeout(late);
      resolve(found[0]);
    });
    child.once('exit', (code) => reject(new Error(`the server ended with code ${code}`)));
  });
}
