/** Names with options, `othello:size=6`: read and written by what the catalog declares. */

import type { OptionSpec } from '../api/types';

/** Option values as text; an option that is not there has its default. */
export type OptionValues = Record<string, string>;

export interface Spec {
  name: string;
  values: OptionValues;
}

let renamed: Record<string, string> = {};

/** Old addresses and memories hold names that were given up: from now on they are read as those of today. */
export function readOldNames(names: Record<string, string>): void {
  renamed = names;
}

export function readSpec(text: string): Spec {
  const colon = text.indexOf(':');
  const name = (colon < 0 ? text : text.slice(0, colon)).trim();
  const values: OptionValues = {};
  for (const part of colon < 0 ? [] : text.slice(colon + 1).split(',')) {
    const [option = '', ...rest] = part.split('=').map((word) => word.trim());
    const value = rest.join('=');
    if (option === '' && value === '') continue;
    values[option] = rest.length === 0 ? 'on' : (renamed[`${option}=${value}`]?.slice(option.length + 1) ?? value);
  }
  return { name: renamed[name] ?? name, values };
}

/** The one spelling: declared order, defaults and empty values left out, a flag that is on as its bare name. */
export function writeSpec(spec: Spec, declared: OptionSpec[]): string {
  const parts = declared.flatMap((option) => {
    const value = spec.values[option.name];
    if (value === undefined || value === '' || value === defaultText(option)) return [];
    return option.type === 'flag' && value === 'on' ? [option.name] : [`${option.name}=${value}`];
  });
  return parts.length === 0 ? spec.name : `${spec.name}:${parts.join(',')}`;
}

export function defaultText(option: OptionSpec): string {
  switch (option.type) {
    case 'flag':
      return option.default ? 'on' : 'off';
    case 'time':
      return '';
    default:
      return option.default === null ? '' : String(option.default);
  }
}

export function valueOf(values: OptionValues, option: OptionSpec): string {
  return values[option.name] ?? defaultText(option);
}

/** An option's description with its choices called as the page calls them, where it lists them. */
export function explained(about: string, values: string[], word: (value: string) => string): string {
  return values.reduce((text, value) => text.replace(new RegExp(`(?<![\\w-])${value}(?=:| \\()`, 'g'), word(value)), about);
}

/** Is this text a value that the option takes? Empty means unset. */
export function isValid(option: OptionSpec, text: string): boolean {
  if (text === '') return defaultText(option) === '';
  switch (option.type) {
    case 'integer':
      return /^-?\d+$/.test(text) && Number(text) >= option.min && Number(text) <= option.max;
    case 'number':
      return Number.isFinite(Number(text)) && Number(text) >= option.min && Number(text) <= option.max;
    case 'choice':
      return option.values.includes(text);
    case 'flag':
      return text === 'on' || text === 'off';
    case 'time':
      return /^\d+(\.\d+)?(ms|s|m|min|h)?$/.test(text);
  }
}
