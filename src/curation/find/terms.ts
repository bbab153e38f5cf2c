import { numberAt, romanValue } from '../../model/names/numerals.ts';
import { asCompared, isArticle, isSmallWord, plain, wordsOf } from '../../model/names/words.ts';

/** A word as names and questions are compared by it, and where it begins in the plain text. */
export interface Term {
  readonly text: string;
  readonly at: number;
}

const piece = /\d+s?(?!\p{L})|\d+|\D+/gu;

/**
 * The words of a text (what `plain` answered), as titles and people spell them alike: numbers are digits, and letters and
 * digits are two words.
 */
export function termsIn(text: string): Term[] {
  const pieces = wordsOf(text).flatMap(({ text: word, start }) =>
    [...word.replaceAll("'", '').matchAll(piece)].map(({ 0: part, index }) => {
      return { text: asCompared(part), at: start + index };
    }),
  );
  const texts = pieces.map((one) => one.text);
  const terms: Term[] = [];
  let from = 0;
  while (from < texts.length) {
    const spoken = numberAt(texts, from);
    const word = spoken?.value ?? figureAt(texts, from) ?? texts[from] ?? '';
    terms.push({ text: String(word), at: pieces[from]?.at ?? 0 });
    from += spoken?.length ?? 1;
  }
  return terms;
}

export function termsOf(text: string): string[] {
  return termsIn(plain(text)).map((term) => term.text);
}

/** A Roman figure; one letter is one only behind other words: Grand Theft Auto V. */
function figureAt(words: readonly string[], at: number): string | null {
  const word = words[at] ?? '';
  const value = romanValue(word);
  if (value === undefined || (at === 0 && word.length < 3)) return null;
  const isCounted = at === words.length - 1 || /^(?:episode|part)$/.test(words[at - 1] ?? '');
  return word === 'i' && !isCounted ? null : String(value);
}

/** How much a word tells one title from others. */
export function weightOf(term: string): number {
  return isSmallWord(term) ? 0.15 : 1;
}

/** What all spellings of a name share, whatever separates its words: without the article that it begins with. */
export function keyOf([first = '', ...rest]: readonly string[]): string {
  return (isArticle(first) && rest.length > 0 ? '' : first) + rest.join('');
}

/** The first letters of words. */
export function initialsOf(words: readonly string[]): string {
  return words.map((word) => word[0] ?? '').join('');
}

export function canBeInitials({ length }: string): boolean {
  return length >= 2 && length <= 6;
}

/** The initials that people write for a name or a part of it, up to the first number: gta for Grand Theft Auto V. */
export function abbreviationsOf(name: string): string[] {
  const all = [name, ...name.split(/:\s|\s[–·|-]\s/)].map((part) => {
    const [first = '', ...rest] = termsOf(part);
    const words = isArticle(first) ? rest : [first, ...rest];
    const figure = words.findIndex((word) => /^\d/.test(word));
    return initialsOf(figure < 0 ? words : words.slice(0, figure));
  });
  return [...new Set(all)].filter(canBeInitials);
}
