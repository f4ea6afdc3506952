/** Plots without a screen: scales, ticks, the table beside a plot, and CSV. */

export interface Series {
  name: string;
  points: { x: number; y: number }[];
}

export interface Scale {
  (value: number): number;
  ticks: number[];
}

/** From `domain` to `range`; on a logarithmic scale ticks are powers of ten, or 2 and 5 times these where they are few. */
export function scale(domain: [number, number], range: [number, number], logarithmic: boolean, wanted: number): Scale {
  const [low, high] = domain;
  const [from, to] = range;
  const map = (value: number) => {
    const part = logarithmic
      ? (Math.log10(Math.max(value, low)) - Math.log10(low)) / (Math.log10(high) - Math.log10(low) || 1)
      : (value - low) / (high - low || 1);
    return from + part * (to - from);
  };
  return Object.assign(map, { ticks: logarithmic ? powers(low, high) : evenly(low, high, wanted) });
}

function evenly(low: number, high: number, wanted: number): number[] {
  const rough = (high - low) / Math.max(1, wanted) || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough * 0.999) ?? rough;
  const ticks: number[] = [];
  for (let at = Math.ceil(low / step - 1e-9); at * step <= high + step * 1e-9; at += 1) ticks.push(Number((at * step).toPrecision(12)));
  return ticks;
}

function powers(low: number, high: number): number[] {
  const decades = Math.log10(high / low);
  const factors = decades < 2 ? [1, 2, 5] : [1];
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(low)); 10 ** power <= high * 1.001; power += 1) {
    for (const factor of factors) {
      const tick = factor * 10 ** power;
      if (tick >= low * 0.999 && tick <= high * 1.001) ticks.push(Number(tick.toPrecision(6)));
    }
  }
  return ticks;
}

/** The values that a plot spans. A logarithmic one begins and ends at a power of ten; another includes 0 if it is near. */
export function spanOf(values: number[], logarithmic: boolean): [number, number] {
  if (values.length === 0) return logarithmic ? [1, 10] : [0, 1];
  const low = values.reduce((least, value) => Math.min(least, value));
  const high = values.reduce((most, value) => Math.max(most, value));
  if (logarithmic) {
    const from = 10 ** Math.floor(Math.log10(Math.max(low, 1e-3)));
    return [from, Math.max(10 ** Math.ceil(Math.log10(Math.max(high, 1e-3))), from * 10)];
  }
  const bottom = low > 0 && low < high / 2 ? 0 : low;
  return bottom === high ? [bottom - 1, high + 1] : [bottom, high];
}

/** Rows by x, a column for each series. */
export function tableOf(series: Series[]): { x: number; values: (number | null)[] }[] {
  const xs = [...new Set(series.flatMap((line) => line.points.map((point) => point.x)))].sort((a, b) => a - b);
  const known = series.map((line) => new Map(line.points.map((point) => [point.x, point.y])));
  return xs.map((x) => ({ x, values: known.map((points) => points.get(x) ?? null) }));
}

export function csvOf(head: string[], rows: (string | number | null)[][]): string {
  const cell = (value: string | number | null) => {
    const text = value === null ? '' : String(value);
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [head, ...rows].map((row) => row.map(cell).join(',')).join('\n') + '\n';
}

/** With a true minus sign, as wide as a plus. */
export const minus = (text: string) => text.replace('-', '−');

/** A number as it stands beside an axis: `18.3 k`, `0.25`. */
export function short(value: number, locale: string): string {
  const size = Math.abs(value);
  const format = (number: number) => minus(number.toLocaleString(locale, { maximumSignificantDigits: 3 }));
  if (size >= 1e9) return `${format(value / 1e9)} G`;
  if (size >= 1e6) return `${format(value / 1e6)} M`;
  if (size >= 1e4) return `${format(value / 1e3)} k`;
  return minus(value.toLocaleString(locale, { maximumFractionDigits: size < 10 ? 3 : size < 100 ? 2 : 1 }));
}

/** At most `most` of the points, evenly spread, the last one among them. */
export function thinned<T>(points: T[], most: number): T[] {
  if (points.length <= most) return points;
  const every = (points.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, index) => points[Math.round(index * every)] as T);
}
