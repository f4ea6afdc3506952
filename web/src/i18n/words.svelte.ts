/** The page's words in the chosen language. */

import type { Words } from '../api/types';
import { preferences } from '../state/preferences.svelte';
import { en, type Dictionary } from './en';
import { id } from './id';

/** The dictionary of the chosen language; reading it keeps a view in step with the choice. */
export function t(): Dictionary {
  return preferences.language === 'id' ? id : en;
}

/** The server's words in the chosen language. */
export function say(words: Words | null | undefined): string {
  return words ? words[preferences.language] : '';
}

export const locale = () => (preferences.language === 'id' ? 'id-ID' : 'en-GB');
