/** One server and one browser for a file of tests. */

import { after, before } from 'node:test';
import { launch, newPage } from './browser.mjs';
import { startServer } from './server.mjs';

export function suite() {
  const state = {
    /** A page of its own, in a profile of its own. */
    page: (options) => newPage(state.browser, state.server, options),
  };
  before(async () => {
    state.server = await startServer();
    state.browser = await launch();
  });
  after(async () => {
    await state.browser?.close();
    await state.server?.stop();
  });
  return state;
}
