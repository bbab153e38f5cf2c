import path from 'node:path';
import { plain } from '../matching/names/words.ts';
import { itemsOf, type Plan } from './plan.ts';

/** Shorter ones are in every name. Letters. */
const shortest = 4;

/**
 * How many of the files that a plan sends nothing names the work of: then only the id that was given says that
 * they are its, and an id is easily another one's.
 */
export function countUnnamed(plan: Plan): number {
  const { work, folder, asked } = plan;
  const known = wordsOf([work.title, ...namesIn(asked)].join(' '));
  // A title of short words can't be looked for.
  if (known.length === 0 || isIn(path.basename(folder), known)) return 0;
  return itemsOf(plan).filter(({ path: inner, place }) => {
    const own = place.targetKind === 'movie' || place.targetKind === 'game' ? wordsOf(place.label) : [];
    return !isIn(inner, [...known, ...own]);
  }).length;
}

function namesIn({ alsoCalled }: Plan['asked']): readonly string[] {
  return Array.isArray(alsoCalled) ? alsoCalled : [];
}

function isIn(name: string, words: readonly string[]): boolean {
  const text = plain(name);
  return words.some((word) => text.includes(word));
}

function wordsOf(title: string): string[] {
  return plain(title)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= shortest);
}
