/** The catalog of games and bots, asked for once. */

import { catalog, wordsOf } from '../api/client';
import type { BotInfo, Catalog, GameInfo, Words } from '../api/types';
import { readOldNames, readSpec } from './spec';

class CatalogState {
  value: Catalog | null = $state.raw(null);
  problem: Words | null = $state.raw(null);

  async load(): Promise<void> {
    this.problem = null;
    try {
      const answer = await catalog();
      readOldNames(answer.renamed);
      this.value = answer;
    } catch (error) {
      this.problem = wordsOf(error);
    }
  }

  /** The game behind a spec such as `othello:size=6`. */
  game(spec: string): GameInfo | undefined {
    const { name } = readSpec(spec);
    return this.value?.games.find((game) => game.name === name);
  }

  /** What people read for the name of an option or of one of its choices. */
  word(name: string): Words {
    return this.value?.words[name] ?? { en: name, id: name };
  }

  bot(gameSpec: string, botSpec: string): BotInfo | undefined {
    const { name } = readSpec(botSpec);
    return this.game(gameSpec)?.bots.find((bot) => bot.name === name);
  }
}

export const games = new CatalogState();
