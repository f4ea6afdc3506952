/** Chromium pages that fail a test on any error, refusal or request to somewhere else. */

import { chromium } from 'playwright-core';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export function launch() {
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}

/**
 * A page in a profile of its own. `options` are playwright's for contexts.
 * `page.troubles` lists what went wrong so far.
 */
export async function newPage(browser, server, options = {}) {
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    ...options,
  });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  page.troubles = [];
  page.on('pageerror', (error) => page.troubles.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') page.troubles.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    const local = ['data:', 'blob:'].includes(url.protocol) || url.host === new URL(server.url).host;
    if (!local) page.troubles.push(`outside request: ${request.url()}`);
  });
  return page;
}
