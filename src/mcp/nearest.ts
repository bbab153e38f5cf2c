import { editsBetween } from '../model/names/likeness.ts';

/**
 * The word that was most likely meant: the one that differs least, and in no more than a quarter of its letters. That is
 * few enough that none is taken for its own opposite (`unfollow`). Null for none.
 */
export function nearestWord(given: unknown, words: readonly unknown[]): string | null {
  if (typeof given !== 'string' || given.length > longest) return null;
  let best: string | null = null;
  let fewest = Number.POSITIVE_INFINITY;
  for (const word of words) {
    if (typeof word !== 'string') continue;
    const most = Math.max(1, Math.floor(word.length / 4));
    const edits = editsBetween(plain(given), plain(word), most);
    if (edits <= most && edits < fewest) [best, fewest] = [word, edits];
  }
  return best;
}

/** Where one of the words is near, asks whether it was meant. */
export function didYouMean(given: unknown, words: readonly unknown[]): string {
  const near = nearestWord(given, words);
  return near === null ? '' : ` (did you mean ${JSON.stringify(near)}?)`;
}

const longest = 60;

/** Case and separators are what is most often mistaken. */
function plain(word: string): string {
  return word.toLowerCase().replace(/[\s_-]/g, '');
}
