/** Numbers and times as people read them. */

/** `2:31`, `0:04.3` in the last ten seconds. */
export function clock(ms: number): string {
  const left = Math.max(0, ms);
  if (left < 10_000) return `0:0${(Math.floor(left / 100) / 10).toFixed(1)}`;
  const seconds = Math.ceil(left / 1000);
  const minutes = Math.floor(seconds / 60);
  const rest = String(seconds % 60).padStart(2, '0');
  if (minutes < 60) return `${minutes}:${rest}`;
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${rest}`;
}

/** `2.1 M`, `940 k`, `62`. */
export function count(number: number, locale: string): string {
  const format = (value: number) => value.toLocaleString(locale, { maximumFractionDigits: value < 10 ? 1 : 0 });
  if (number >= 1e9) return `${format(number / 1e9)} G`;
  if (number >= 1e6) return `${format(number / 1e6)} M`;
  if (number >= 1e3) return `${format(number / 1e3)} k`;
  return String(number);
}

/** `1.5 s`; `least` digits are shown even if they are zeros, so that a running time does not jump. */
export function seconds(ms: number, locale: string, least = 0): string {
  const digits = { minimumFractionDigits: least, maximumFractionDigits: Math.max(least, ms < 10_000 ? 1 : 0) };
  return `${(Math.max(0, ms) / 1000).toLocaleString(locale, digits)} s`;
}

export function date(ms: number, locale: string): string {
  return new Date(ms).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' });
}
