import { stemOf } from './junk.ts';
import { explainWords } from './names/explain.ts';
import { plain, wordsOf } from './names/words.ts';
import type { SlotMeaning } from './places.ts';

/**
 * The words of a name that were read as artwork, or else those of the nearest folder that has some.
 * @param path relative to the folder that was chosen
 * @param chosen that folder's own name
 */
export function artworkWords(path: string, chosen: string | null): readonly ArtworkWord[] {
  const parts = path.split('/');
  const names = [chosen ?? '', ...parts.slice(0, -1), stemOf(parts.at(-1) ?? '')];
  return names.map(phrasesOf).findLast((phrases) => phrases.length > 0) ?? [];
}

export interface ArtworkWord {
  /** One of a closed list, and so never other people's writing. */
  readonly text: string;
  readonly meaning: SlotMeaning;
}

function phrasesOf(name: string): ArtworkWord[] {
  const text = plain(name);
  const { words, slots } = explainWords(wordsOf(text), text);
  return slots.map(({ meaning, at, length }) => ({
    meaning,
    text: words
      .slice(at, at + length)
      .map((word) => word.text)
      .join(' '),
  }));
}
