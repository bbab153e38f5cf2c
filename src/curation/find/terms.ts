import { numberAt, romanValue } from '../../model/names/numerals.ts';
import { asCompared, isArticle, isSmallWord, plain, type Span, wordsOf } from '../../model/names/words.ts';

/** A word as names and questions are compared by it, and where it stands in the plain text. */
export interface Term extends Span {
  readonly text: string;
}

/**
 * The words of a text (what `plain` answered), as titles and people spell them alike: numbers are digits, letters that
 * stand alone beside each other are one word, and letters and digits are two.
 */
export function termsIn(text: string): Term[] {
  const words = wordsOf(text).flatMap(({ text: word, start }) =>
    [...word.replaceAll("'", '').matchAll(/\d+s?(?!\p{L})|\d+|\D+/gu)].map(({ 0: part, index }) => {
      return { text: asCompared(part), start: start + index, end: start + index + part.length };
    }),
  );
  const texts = words.map((word) => word.text);
  let upTo = 0;
  return words.flatMap(({ start }, at) => {
    if (at < upTo) return [];
    const spoken = numberAt(texts, at);
    upTo = at + (spoken.value === null ? lettersAlone(texts, at) : spoken.length);
    const joined = texts.slice(at, upTo).join('');
    return [
      { text: spoken.value ?? figureOf(texts, at) ?? joined, start, end: words[upTo - 1]?.end ?? start },
    ];
  });
}

export function termsOf(text: string): string[] {
  return termsIn(plain(text)).map((term) => term.text);
}

/** How many single letters stand beside each other: E.T., J. J. Abrams; 1 where there are no two. */
function lettersAlone(words: readonly string[], at: number): number {
  let length = 0;
  while (/^[a-z]$/.test(words[at + length] ?? '')) length += 1;
  return Math.max(1, length);
}

/** A Roman figure; one letter is one only behind other words: Grand Theft Auto V. */
function figureOf(words: readonly string[], at: number): string | null {
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
export function keyOf(terms: readonly string[]): string {
  const [first = '', ...rest] = terms;
  return (isArticle(first) && rest.length > 0 ? rest : terms).join('');
}

/** By what else people look for a name: words that a sign separates as one; and of a work its initials. */
export function otherTermsOf(name: string, isWork: boolean): string[] {
  const hyphened = plain(name).match(/[\p{L}\p{N}]+(?:[-·][\p{L}\p{N}]+)+/gu) ?? [];
  const joined = hyphened.map((words) => words.replace(/[-·]/g, ''));
  return isWork ? [...joined, ...initialsOf(name).map(asInitials)] : joined;
}

export function asInitials(letters: string): string {
  return `_i${letters}`;
}

/** Of the whole name and of its parts, up to the first number: gta of Grand Theft Auto V. */
function initialsOf(name: string): string[] {
  const all = [name, ...name.split(/:\s|\s[–·|-]\s/)].map((part) => {
    const terms = termsOf(part);
    const words = isArticle(terms[0] ?? '') ? terms.slice(1) : terms;
    const figure = words.findIndex((word) => /^\d/.test(word));
    return initials(figure < 0 ? words : words.slice(0, figure));
  });
  return [...new Set(all)].filter(canBeInitials);
}

export function canBeInitials({ length }: string): boolean {
  return length >= 2 && length <= 6;
}

/** The first letters of words. */
export function initials(words: readonly string[]): string {
  return words.map((word) => word[0] ?? '').join('');
}
