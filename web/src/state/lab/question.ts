/** What a part of the lab looks at, in its address. */

import type { Question } from '../../api/lab';

/** A question as text: the same text is the same question. */
export function questionText(query: URLSearchParams, usual: { game: string; bot: string }): string {
  const text = new URLSearchParams({ game: query.get('game') ?? usual.game, bot: query.get('bot') ?? usual.bot });
  const position = query.get('position');
  if (position) text.set('position', position);
  return text.toString();
}

export function readQuestion(text: string): Question {
  const query = new URLSearchParams(text);
  return { game: query.get('game') ?? '', position: query.get('position'), bot: query.get('bot') ?? '' };
}

export function writeQuestion(question: Question, settings: Record<string, string | number | null> = {}): URLSearchParams {
  const query = new URLSearchParams({ game: question.game, bot: question.bot });
  if (question.position) query.set('position', question.position);
  for (const [key, value] of Object.entries(settings)) if (value !== null && value !== '') query.set(key, String(value));
  return query;
}
