import anyAscii from 'any-ascii';
import { numberAt, romanValue } from '../../model/names/numerals.ts';
import { asCompared, folded, isSmallWord } from '../../model/names/words.ts';

/** More of a name tells nothing; the longest that a person says has a dozen. */
const mostTerms = 48;

/** Scripts that write no spaces between words. */
const unspaced =
  /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー]/u;
const piece =
  /\p{Extended_Pictographic}|\p{N}+|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]+|[\p{L}\p{M}\p{Co}]+|[&+]/gu;

/**
 * The words of a name as the index holds them: folded, digits apart from letters, single letters between dots as one
 * word (E.T. is et), and numbers in words or Roman figures as digits. Scripts without spaces are cut into pairs.
 */
export function termsOf(name: string): string[] {
  const text = folded(name.replace(/\band a half\b/gi, '½')).replaceAll("'", '');
  const terms: string[] = [];
  let initialEnds = -1;
  for (const found of text.matchAll(piece)) {
    const [sign] = found;
    const goesOn = sign.length === 1 && found.index === initialEnds + 1 && text[initialEnds] === '.';
    if (goesOn) terms[terms.length - 1] = (terms.at(-1) ?? '') + sign;
    else if (sign === '&' || sign === '+') terms.push('and');
    else if (unspaced.test(sign)) terms.push(...pairsOf(sign));
    else terms.push(sign);
    initialEnds = sign.length === 1 && /\p{L}/u.test(sign) ? found.index + 1 : -1;
    if (terms.length >= mostTerms) break;
  }
  return withNumbers(terms.slice(0, mostTerms)).map(asCompared);
}

function pairsOf(run: string): string[] {
  const signs = [...run];
  if (signs.length === 1) return signs;
  return signs.slice(1).map((sign, at) => (signs[at] ?? '') + sign);
}

const plainAscii = /^[\x20-\x7e]*$/;
const latin = /^[\p{sc=Latin}\p{sc=Common}\p{sc=Inherited}]*$/u;

/** The terms of a name in Latin letters, for people who can't type its own; empty where it has none but these. */
export function latinTermsOf(name: string): string[] {
  // Most names are told by the first, which takes a fraction of the time.
  return plainAscii.test(name) || latin.test(name) ? [] : termsOf(anyAscii(name));
}

/** Those that people leave out anywhere in a name. Articles of other languages are words of English names: Die Hard, La La Land. */
const leftOut = new Set(['the', 'a', 'an']);

/** A name as one word, without its articles: what two ways to write it share. */
export function keyOfTerms(terms: readonly string[]): string {
  const meant = terms.filter((term) => !leftOut.has(term));
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
  const withoutArticle = leftOut.has(terms[0] ?? '') ? terms.slice(1) : terms;
  const all = [terms, withoutArticle, terms.filter((term) => !isSmallWord(term))].map((some) =>
    some.map((term) => (/^\d/.test(term) ? term : ([...term][0] ?? ''))).join(''),
  );
  return [...new Set(all)].filter((letters) => letters.length > 1 && letters.length <= mostInitials);
}

const decades = new Map(
  'twenties thirties forties fifties sixties seventies eighties nineties'
    .split(' ')
    .map((word, at) => [word, String(1920 + at * 10)] as const),
);

/** Terms with the numbers among them as digits, whether in words or in Roman figures. */
function withNumbers(terms: readonly string[]): string[] {
  const found: string[] = [];
  for (let at = 0; at < terms.length; ) {
    const { value, length } = numberAt(terms, at);
    if (value !== null) {
      found.push(value);
      at += length;
      continue;
    }
    const term = terms[at] ?? '';
    const decade =
      decades.get(term) ?? (terms[at + 1] === 's' && /^[2-9]0$/.test(term) ? `19${term}` : undefined);
    if (decade !== undefined) {
      found.push(decade, 's');
      at += terms[at + 1] === 's' ? 2 : 1;
      continue;
    }
    const roman = romanValue(term);
    // One letter alone is a number only behind something that it can number.
    found.push(roman !== undefined && (term.length > 1 || at > 0) ? String(roman) : withoutZeros(term));
    at += 1;
  }
  return found;
}

function withoutZeros(term: string): string {
  return /^0\d+$/.test(term) ? String(Number(term)) : term;
}
