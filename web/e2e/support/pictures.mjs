/** Screenshots: kept in docs/screenshots when asked for, and looked at in greyscale. */

import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../../docs/screenshots', import.meta.url));

/** Those worth their bytes. */
const KEPT = new Set([
  'home-light-english',
  'home-360-px-indonesian',
  'new-game-light-english',
  'dots-and-boxes-light-english',
  'adjacency-dark-indonesian',
  'othello-dark-indonesian',
  'othello-360-px-indonesian',
  'play-hint',
  'after-othello',
  'analyse',
  'lab-tree',
  'lab-experiment',
  'greyscale-light',
]);

/** Keeps a picture for the documentation if `PAPAN_SCREENSHOTS` is set. */
export async function keep(page, name, { grey = false } = {}) {
  if (!process.env.PAPAN_SCREENSHOTS || !KEPT.has(name)) return;
  await page.getByText(/^Reviewing position/).waitFor({ state: 'detached', timeout: 120_000 });
  await mkdir(FOLDER, { recursive: true });
  if (grey) await page.evaluate(() => (document.documentElement.style.filter = 'grayscale(1)'));
  await page.screenshot({ path: path.join(FOLDER, `${name}.png`) });
}

/**
 * The screen as rows of lightness from 0 to 255: `lightness(x, y)`. The
 * picture is read in a blank page, since the page under test trusts no data.
 */
export async function greyscale(page) {
  const picture = await page.screenshot();
  const reader = await page.context().newPage();
  const { width, values } = await reader.evaluate(async (source) => {
    const image = new Image();
    image.src = source;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const drawing = canvas.getContext('2d');
    drawing.drawImage(image, 0, 0);
    const { data } = drawing.getImageData(0, 0, image.width, image.height);
    const values = [];
    for (let at = 0; at < data.length; at += 4) {
      values.push(Math.round(0.2126 * data[at] + 0.7152 * data[at + 1] + 0.0722 * data[at + 2]));
    }
    return { width: image.width, values };
  }, `data:image/png;base64,${picture.toString('base64')}`);
  await reader.close();
  return (x, y) => values[Math.round(y) * width + Math.round(x)];
}
