/** What this browser remembers: seats it holds, the last settings, preferences. Works, forgetfully, without storage. */

export interface Memory {
  get<T>(key: string, otherwise: T): T;
  set(key: string, value: unknown): void;
}

const PREFIX = 'papan.';

export function memoryIn(storage: Storage | null): Memory {
  const spare = new Map<string, string>();
  return {
    get<T>(key: string, otherwise: T): T {
      const text = attempt(() => storage?.getItem(PREFIX + key)) ?? spare.get(key) ?? null;
      return text === null ? otherwise : (attempt(() => JSON.parse(text) as T) ?? otherwise);
    },
    set(key: string, value: unknown): void {
      const text = JSON.stringify(value);
      spare.set(key, text);
      attempt(() => storage?.setItem(PREFIX + key, text));
    },
  };
}

function attempt<T>(action: () => T): T | null {
  try {
    return action();
  } catch {
    return null;
  }
}

export const memory: Memory = memoryIn(attempt(() => globalThis.localStorage) ?? null);
