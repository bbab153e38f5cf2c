import { episodeWord, seasonWord } from './numbers.ts';
import { namesOfNumbers, romanValue } from './numerals.ts';

/** A part of a text, such as what `plain` answered. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A word of a name: letters, digits and pictograms, whatever stands between. */
export interface Word extends Span {
  readonly text: string;
  /** The bracket that it stands in. */
  readonly within: '' | '(' | '[' | '{';
}

/** What a word is compared by. */
type Spelt = Pick<Word, 'text'>;

/** The parts that share nothing with any of the others. */
export function outsideOf<Part extends Span>(parts: readonly Part[], others: readonly Span[]): Part[] {
  return parts.filter(({ start, end }) => others.every((other) => end <= other.start || start >= other.end));
}

/** The same text, as long, with blanks in the place of a part. */
export function blanked(text: string, { start, end }: Span): string {
  return text.slice(0, start) + ' '.repeat(end - start) + text.slice(end);
}

/** What each of some words or letters stands for: `dr>doctor`. */
const pairsOf = (text: string): ReadonlyMap<string, string> =>
  new Map(text.split(' ').map((pair) => [pair.replace(/>.*/, ''), pair.replace(/.*>/, '')]));

/** Letters that Unicode does not take apart, as people type them. */
const typed = pairsOf('ø>o œ>oe æ>ae ł>l đ>d ð>d þ>th ŋ>n ς>σ ı>i');

const plainAscii = /^[\x20-\x7e]*$/;

/**
 * A text as all that compares names has it. Compatible forms, case and the accents of Latin, Greek and Cyrillic don't
 * count; dashes and apostrophes are of one kind each. Punctuation stays.
 */
export function folded(text: string): string {
  if (plainAscii.test(text)) return text.toLowerCase().replaceAll('`', "'");
  return (
    text
      .replace(/½/g, ' 1 2 ')
      .normalize('NFKC')
      // To upper case and back: ß and SS, final and inner sigma, dotless and dotted i become one.
      .toUpperCase()
      .toLowerCase()
      .normalize('NFD')
      .replace(/[\u0300-\u036f]|\p{Cf}/gu, '')
      .normalize('NFC')
      .replace(/[øœæłđðþŋςı]/g, (letter) => typed.get(letter) ?? letter)
      .replace(/[‐‑‒–—―−]/g, '-')
      .replace(/[‘’ʼ´`′]/g, "'")
  );
}

const counted = new RegExp(
  `(?<![\\p{L}\\p{N}])((?:${seasonWord}|${episodeWord}|part|pt|chapter|volume|vol)[\\s._-]+)(${[...namesOfNumbers.keys()].join('|')})(?![\\p{L}\\p{N}'])`,
  'gu',
);

const ordinals = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');
const ordinal = new RegExp(
  `(?<![\\p{L}\\p{N}])(${ordinals.join('|')})(?=[\\s._-]+(?:season|series|episode)(?![\\p{L}\\p{N}]))`,
  'gu',
);

/** A name as its numbers are read from it: folded, and a number that is spelt out behind "season" or "part" is one. */
export function plain(text: string): string {
  return (
    folded(text)
      .replace(/(?<=\d)\s?×\s?(?=\d)/g, 'x')
      // sherlock2010s02e02, 1923s01e02
      .replace(/(?<!\d)((?:19|20)\d{2})(?=s\d{1,4}e\d)/g, ' $1 ')
      // 12v2: the second picture of the twelfth.
      .replace(/(?<![\p{L}\p{N}])(\d{2,4})(?=v\d(?![\p{L}\p{N}]))/gu, '$1 ')
      .replace(/第?\s?(\d{1,4})\s?[季期部]/gu, ' season $1 ')
      .replace(/第?\s?(\d{1,4})\s?[集話话回화회]/gu, ' episode $1 ')
      .replace(ordinal, (_, word: string) => `${ordinals.indexOf(word) + 1}th`)
      .replace(
        counted,
        (_, before: string, number: string) => before + (namesOfNumbers.get(number) ?? number),
      )
  );
}

const piece = /[\p{L}\p{N}\p{M}\p{Extended_Pictographic}]+|[&()[\]{}]/gu;

/** The words of what `plain` answered. An apostrophe joins what it stands between; `&` is "and". */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  let within: Word['within'] = '';
  for (const { 0: sign, index: start } of text.matchAll(piece)) {
    const end = start + sign.length;
    const last = words.at(-1);
    if (sign === '(' || sign === '[' || sign === '{') within = sign;
    else if (/[)\]}]/.test(sign)) within = '';
    else if (last?.end === start - 1 && text[last.end] === "'" && sign !== '&')
      words[words.length - 1] = { ...last, text: last.text + sign, end };
    else words.push({ text: sign === '&' ? 'and' : sign, start, end, within });
  }
  return words;
}

/** The texts of words, with single blanks between them. */
export function textOf(words: readonly Spelt[]): string {
  return words.map(({ text }) => text).join(' ');
}

/** What two spellings of one title share, whatever separates its words. Of one letter a word is no Roman figure. */
export function wordKey(words: readonly Spelt[]): string {
  return words
    .map(({ text }) => (text.length > 1 ? romanValue(text) : undefined) ?? asCompared(text))
    .join('');
}

/** What names and people write short, and the one of two ways that names are compared in. */
const written = pairsOf(
  'bros>brothers dr>doctor vs>versus vol>volume pt>part jr>junior sci>science fi>fiction n>and und>and',
);

/** A word as all its spellings are compared: dr is doctor. */
export function asCompared(word: string): string {
  return written.get(word) ?? word;
}

const articles = new Set('the a an der die das le la les el los las il lo'.split(' '));
const small = new Set(
  'and of in on to for at with from by or is are my that this it ein eine und von im un une du de des del et y gli e o os as het'.split(
    ' ',
  ),
);

/** Whether a folded word is an article, in any language. */
export function isArticle(word: string): boolean {
  return articles.has(word);
}

/** Whether a folded word stands in too many names to tell one from another: an article, "of", "with". */
export function isSmallWord(word: string): boolean {
  return articles.has(word) || small.has(word);
}

/** A part of a text, as it stands there. */
export function textIn(text: string, { start, end }: Span): string {
  return text.slice(start, end).trim();
}
