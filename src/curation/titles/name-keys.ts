import { isArticle, isSmallWord, latinTermsOf, termsOf } from './terms.ts';

/** A name as one word, without its articles: what two ways to write it share. */
export function keyOfTerms(terms: readonly string[]): string {
  const meant = terms.filter((term) => !isArticle(term));
  return (meant.length === 0 ? terms : meant).join('');
}

/** Marks the keys that are initials: no name begins with it. */
export const initialsMark = '@';
/** Longer ones are not said. */
const mostInitials = 10;

/** The whole name and what stands before and behind a colon or a dash, which people take for the name too. */
export function partsOfName(name: string): string[] {
  const parts = name
    .split(/\s*(?::|\s[–—·|/-]\s|,? or:)\s*/u)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (parts.length < 2) return [name];
  return [...new Set([name, ...parts, parts.slice(1).join(' ')])];
}

/** Everything that the name of a work is looked up by at once: its parts without spaces, and their initials. */
export function keysOfName(name: string): string[] {
  const keys = new Set<string>();
  for (const part of partsOfName(name)) {
    for (const terms of [termsOf(part), latinTermsOf(part)]) {
      const key = keyOfTerms(terms);
      if (key === '') continue;
      keys.add(key);
      for (const letters of initialsOf(terms)) keys.add(initialsMark + letters);
    }
  }
  return [...keys].map((key) => key.slice(0, longestKey));
}

export const longestKey = 100;

/**
 * The initials by which people call a work. With and without the small words: lotr, lr. A number stands whole: hl2.
 */
export function initialsOf(terms: readonly string[]): string[] {
  const withoutArticle = isArticle(terms[0] ?? '') ? terms.slice(1) : terms;
  const all = [terms, withoutArticle, terms.filter((term) => !isSmallWord(term))].map((some) =>
    some.map((term) => (/^\d/.test(term) ? term : ([...term][0] ?? ''))).join(''),
  );
  return [...new Set(all)].filter((letters) => letters.length > 1 && letters.length <= mostInitials);
}
