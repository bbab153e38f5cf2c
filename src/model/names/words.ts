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

/** Letters that Unicode does not take apart, as people type them. */
const typed: ReadonlyMap<string, string> = new Map(
  'ø>o œ>oe æ>ae ł>l đ>d ð>d þ>th ŋ>n ς>σ ı>i'.split(' ').map((pair) => {
    const [letter = '', as = ''] = pair.split('>');
    return [letter, as];
  }),
);
/** As they are typed where a keyboard does not have them. */
const inTwo: ReadonlyMap<string, string> = new Map(
  Object.entries({ ä: 'ae', ö: 'oe', ø: 'oe', ü: 'ue', å: 'aa' }),
);

/** A text with two letters in the place of some: Soen for Søn. */
export function spelledOut(text: string): string {
  const whole = text.normalize('NFC').toLowerCase();
  return whole.replace(/[äöøüå]/g, (letter) => inTwo.get(letter) ?? letter);
}

const plainAscii = /^[\x20-\x7e]*$/;

/**
 * A text as all that compares names has it. Compatible forms, case and the accents of Latin, Greek and Cyrillic don't
 * count; digits of every script are 0 to 9; dashes and apostrophes are of one kind each. Punctuation stays.
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
      .replace(/(?![0-9])\p{Nd}/gu, digitOf)
  );
}

/** Digits of a script follow one another from 0 on, and nothing that is a digit stands before the 0. */
function digitOf(sign: string): string {
  const code = sign.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value);
}

const spelt = new RegExp(
  `(?<![\\p{L}\\p{N}])((?:seasons?|series|episode|part|pt|chapter|volume|vol|staffel|saison|temporada|stagione|folge|episodio|capitulo)[\\s._-]+)(${[...namesOfNumbers.keys()].join('|')})(?![\\p{L}\\p{N}'])`,
  'gu',
);

/** From the first on. */
export const ordinals = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');
const ordinal = new RegExp(
  `(?<![\\p{L}\\p{N}])(${ordinals.join('|')})(?=[\\s._-]+(?:season|series)(?![\\p{L}\\p{N}]))`,
  'gu',
);

/** A name as its numbers are read from it: folded, and a number that is spelt out behind "season" or "part" is one. */
export function plain(text: string): string {
  return (
    folded(text)
      .replace(/(?<=\d)\s?×\s?(?=\d)/g, 'x')
      // 12v2: the second picture of the twelfth.
      .replace(/(?<![\p{L}\p{N}])(\d{2,4})(?=v\d(?![\p{L}\p{N}]))/gu, '$1 ')
      .replace(ordinal, (_, word: string) => `${ordinals.indexOf(word) + 1}th`)
      .replace(spelt, (_, before: string, number: string) => before + (namesOfNumbers.get(number) ?? number))
  );
}

const closing: ReadonlyMap<string, Word['within']> = new Map([
  [')', '('],
  [']', '['],
  ['}', '{'],
]);
const piece = /[\p{L}\p{N}\p{M}\p{Extended_Pictographic}]+|[&()[\]{}]/gu;

/** The words of what `plain` answered. An apostrophe joins what it stands between; `&` is "and". */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  const open: Word['within'][] = [];
  for (const { 0: sign, index } of text.matchAll(piece)) {
    const end = index + sign.length;
    const last = words.at(-1);
    const opened = closing.get(sign);
    if (sign === '(' || sign === '[' || sign === '{') open.push(sign);
    else if (opened !== undefined) {
      if (open.at(-1) === opened) open.pop();
    } else if (last?.end === index - 1 && text[last.end] === "'" && sign !== '&') {
      words[words.length - 1] = { ...last, text: last.text + sign, end };
    } else {
      const word = sign === '&' ? 'and' : sign;
      words.push({ text: word, start: index, end, within: open.at(-1) ?? '' });
    }
  }
  return words;
}

/** The texts of words, with single blanks between them. */
export function textOf(words: readonly Spelt[]): string {
  return words.map(({ text }) => text).join(' ');
}

/** What two spellings of one title share, whatever separates their words. */
export function wordKey(words: readonly Spelt[]): string {
  return words.map(({ text }) => digitsOf(text) ?? asCompared(text)).join('');
}

/** Of a Roman figure; one letter alone is a word as well. */
function digitsOf(word: string): string | null {
  const value = word.length > 1 ? romanValue(word) : undefined;
  return value === undefined ? null : String(value);
}

/** What all spellings of a text share, whatever separates its words. */
export function keyOfText(text: string): string {
  return wordKey(wordsOf(plain(text)));
}

/** What names and people write short, and the one of two ways that names are compared in. */
const written: ReadonlyMap<string, string> = new Map([
  ['bros', 'brothers'],
  ['dr', 'doctor'],
  ['vs', 'versus'],
  ['vol', 'volume'],
  ['pt', 'part'],
  ['jr', 'junior'],
  ['sci', 'science'],
  ['fi', 'fiction'],
  ['n', 'and'],
  ['und', 'and'],
]);

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
