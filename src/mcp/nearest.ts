import { editsBetween } from '../model/names/likeness.ts';

/** A longer word was not misspelt. */
const longest = 60;

/**
 * The word that was most likely meant: the one that differs least, and in at most a quarter of its letters. So few that
 * no word is taken for its own opposite (`unfollow`). Null: none is near.
 */
export function nearestWord(given: unknown, words: readonly unknown[]): string | null {
  if (typeof given !== 'string' || given.length > longest) return null;
  let [best, fewest]: [string | null, number] = [null, Number.POSITIVE_INFINITY];
  for (const word of words) {
    if (typeof word !== 'string') continue;
    const most = Math.max(1, Math.floor(word.length / 4));
    const edits = editsBetween(plain(given), plain(word), most);
    if (edits <= most && edits < fewest) [best, fewest] = [word, edits];
  }
  return best;
}

/** ` (did you mean "poster"?)` where one of the words is near; else nothing. */
export function didYouMean(given: unknown, words: readonly unknown[]): string {
  const near = nearestWord(given, words);
  return near === null ? '' : ` (did you mean ${JSON.stringify(near)}?)`;
}

/** Case and separators are what is most often mistaken. */
function plain(word: string): string {
  return word.toLowerCase().replace(/[\s_-]/g, '');
}
