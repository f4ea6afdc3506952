/** The page's keys. Letters and digits stay free: they type moves. */

export type Shortcut = 'help' | 'hint' | 'undo' | 'redo' | 'back' | 'forward' | 'type';

type Keys = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

export function shortcutOf(event: Keys): Shortcut | null {
  if (event.altKey) return null;
  if (event.ctrlKey || event.metaKey) {
    const key = event.key.toLowerCase();
    if (key === 'z') return event.shiftKey ? 'redo' : 'undo';
    return key === 'y' ? 'redo' : null;
  }
  switch (event.key) {
    case '?':
      return 'help';
    case '.':
      return 'hint';
    case '[':
      return 'back';
    case ']':
      return 'forward';
    case '/':
      return 'type';
    default:
      return null;
  }
}

/** Is this key meant for a text field? */
export function isTyping(event: KeyboardEvent): boolean {
  const target = event.target;
  if (target instanceof HTMLInputElement) return !['range', 'checkbox', 'radio'].includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}
