import { numberAt, romanValue } from '../../model/names/numerals.ts';
import { asCompared, folded, isArticle, wordsOf } from '../../model/names/words.ts';

/** The words of a text as names are compared: folded, numbers in digits, without apostrophes. */
export function termsOf(text: string): string[] {
  const words = wordsOf(folded(text)).map(({ text }) => asCompared(text.replaceAll("'", '')));
  const terms: string[] = [];
  for (let at = 0; at < words.length; ) {
    const word = words[at] ?? '';
    const { value, length } = numberAt(words, at);
    // A Roman figure of one letter is a word as well, except at the end and behind a counter: Episode I, Grand Theft Auto V.
    const isFigure =
      word.length > 1 || (at > 0 && (at === words.length - 1 || counters.has(words[at - 1] ?? '')));
    const roman = isFigure ? romanValue(word) : undefined;
    terms.push(value ?? (roman === undefined ? word : String(roman)));
    at += Math.max(1, length);
  }
  return terms;
}

const counters = new Set(['episode', 'part', 'chapter', 'volume']);

/** A whole name as one short term: what is called exactly so is found however common its words are. */
export function wholeName(terms: readonly string[]): string {
  let hash = 0;
  for (const sign of terms.filter((term) => !isArticle(term)).join('')) {
    hash = (Math.imul(hash, 31) + (sign.codePointAt(0) ?? 0)) >>> 0;
  }
  // Others may share it: it only brings the row to be compared.
  return `z${hash.toString(36)}z`;
}

/**
 * What else people say for the name of a work, with the terms of the name that each stands for: two of its words as one
 * (madmen, spiderman), all of them as one, its initials (got, ff7, totk for the part behind the colon), and Greek and
 * Cyrillic in Latin letters.
 */
export function otherTermsOf(name: string): ReadonlyMap<string, readonly string[]> {
  const terms = termsOf(name);
  const found = new Map<string, readonly string[]>();
  const add = (term: string, meant: readonly string[]) => {
    const isUsable = term.length > 1 && term.length <= longestTerm && !terms.includes(term);
    if (isUsable && (found.get(term)?.length ?? 0) < meant.length) found.set(term, meant);
  };
  add(terms.join(''), terms);
  for (const [at, term] of terms.entries()) {
    const next = terms[at + 1];
    if (next !== undefined) add(term + next, [term, next]);
    add(inLatin(term), [term]);
  }
  for (const part of [name, ...name.split(/[:–]/)]) {
    const words = termsOf(part);
    for (const spoken of [words, words.filter((word, at) => at > 0 || !isArticle(word))]) {
      const unnumbered = spoken.filter((word) => !/^\d/.test(word));
      if (unnumbered.length < 2) continue;
      add(spoken.map((word) => (/^\d/.test(word) ? word : initialOf(word))).join(''), spoken);
      add(unnumbered.map(initialOf).join(''), unnumbered);
    }
  }
  return found;
}

function initialOf(word: string): string {
  return [...word][0] ?? '';
}

/** A longer one is nothing that a person types as one word. */
const longestTerm = 40;

const letters: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'а=a б=b в=v г=g д=d е=e ж=zh з=z и=i й=i к=k л=l м=m н=n о=o п=p р=r с=s т=t у=u ф=f х=kh ц=ts ч=ch ш=sh',
    'щ=shch ъ= ы=y ь= э=e ю=yu я=ya і=i ї=i є=ye ґ=g α=a β=v γ=g δ=d ε=e ζ=z η=i θ=th ι=i κ=k λ=l μ=m ν=n ξ=x',
    'ο=o π=p ρ=r σ=s τ=t υ=y φ=f χ=ch ψ=ps ω=o',
  ].flatMap((line) => line.split(' ').map((pair) => pair.split('='))),
);

/** A word as people without its alphabet type it. */
export function inLatin(term: string): string {
  return [...term].map((letter) => letters[letter] ?? letter).join('');
}
