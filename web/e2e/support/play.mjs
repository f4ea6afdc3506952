/** Moving about a game as a person would. */

import assert from 'node:assert/strict';

export const GAMES = ['tic-tac-toe', 'adjacency', 'dots-and-boxes', 'othello'];

/** The screen of a new game against a random mover, then the game itself. */
export async function startGame(page, game, settings = {}) {
  const query = new URLSearchParams({ second: 'bot random:seed=7', ...settings });
  await page.goto(`/new/${game}?${query}`);
  await page.getByRole('button', { name: /^(Start the game|Mulai bermain)$/ }).click();
  await page.waitForURL(/\/game\//);
  await page.locator('.play').waitFor();
}

export const plyOf = async (page) => Number(await page.locator('.play').getAttribute('data-ply'));
export const isOver = async (page) => (await page.locator('.play').getAttribute('data-over')) === 'true';

/** Waits until this page may move, or the game is over. */
export function ready(page) {
  return page.locator('.play[data-over="true"], [role="gridcell"].playable, .line .button.main').first().waitFor();
}

/** One move with the mouse: on the board, or with the button of a move that has no place there. */
export async function moveByMouse(page, choose = (count) => Math.floor(count / 2)) {
  const before = await plyOf(page);
  const places = page.locator('[role="gridcell"].playable');
  const count = await places.count();
  if (count > 0) await places.nth(choose(count)).click();
  else await page.locator('.line .button.main').first().click();
  await page.waitForFunction((ply) => Number(document.querySelector('.play')?.getAttribute('data-ply')) > ply, before);
}

export async function playToTheEnd(page, longest = 200) {
  for (let move = 0; move < longest; move += 1) {
    await ready(page);
    if (await isOver(page)) return;
    await moveByMouse(page);
  }
  assert.fail('the game does not end');
}
