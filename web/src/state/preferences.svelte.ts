/** The player's preferences, remembered by this browser and shown on the page at once. */

import { memory } from './memory';

export type Language = 'en' | 'id';
export type Theme = 'system' | 'light' | 'dark';

class Preferences {
  language: Language = $state(firstLanguage());
  theme: Theme = $state(memory.get<Theme>('theme', 'system'));
  name: string = $state(memory.get('name', ''));
  showLegal: boolean = $state(memory.get('show-legal', true));
  motion: boolean = $state(memory.get('motion', true));

  /** Call once, inside an effect root. */
  apply(): void {
    $effect(() => {
      document.documentElement.lang = this.language;
      memory.set('language', this.language);
    });
    $effect(() => {
      document.documentElement.dataset['theme'] = this.theme;
      memory.set('theme', this.theme);
    });
    $effect(() => {
      document.documentElement.dataset['motion'] = this.motion ? 'on' : 'off';
      memory.set('motion', this.motion);
    });
    $effect(() => memory.set('name', this.name));
    $effect(() => memory.set('show-legal', this.showLegal));
  }
}

/** A shared link may say `?lang=id`; else what was chosen before, else what the browser prefers. */
function firstLanguage(): Language {
  const asked = new URLSearchParams(location.search).get('lang');
  if (asked === 'en' || asked === 'id') return asked;
  const preferred = navigator.language.startsWith('id') ? 'id' : 'en';
  return memory.get<Language>('language', preferred);
}

export const preferences = new Preferences();

/** May things move? */
export function mayMove(): boolean {
  return preferences.motion && !matchMedia('(prefers-reduced-motion: reduce)').matches;
}
