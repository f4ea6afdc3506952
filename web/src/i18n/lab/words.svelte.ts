/** The lab's words in the chosen language; they come with the lab. */

import { preferences } from '../../state/preferences.svelte';
import { en, type LabDictionary } from './en';
import { id } from './id';

export function l(): LabDictionary {
  return preferences.language === 'id' ? id : en;
}
