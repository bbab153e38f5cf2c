import anyAscii from 'any-ascii';
import { withNumbers } from './spoken-numbers.ts';

/** More of a name tells nothing; the longest that a person says has a dozen. */
const mostTerms = 48;

/** Letters that Unicode doesn't take apart, as people type them. */
const typed: Readonly<Record<string, string>> = {
  ø: 'o',
  œ: 'oe',
  æ: 'ae',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ŋ: 'ng',
  ς: 'σ',
  ı: 'i',
};

/** Scripts that write no spaces between words. */
const unspaced =
  /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー]/u;
const piece =
  /\p{Extended_Pictographic}|\p{N}+|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]+|[\p{L}\p{M}\p{Co}]+|[&+]/gu;
const plainAscii = /^[\x20-\x7e]*$/;

/** Case, accents, and the compatible forms of letters and digits don't count. */
export function foldedText(text: string): string {
  const half = text.replace(/½/g, ' 1 2 ').replace(/\band a half\b/gi, ' 1 2 ');
  const lower = plainAscii.test(half)
    ? half.toLowerCase()
    : half
        .normalize('NFKC')
        // To upper case and back: ß and SS, and every sigma, become one.
        .toUpperCase()
        .toLowerCase()
        .normalize('NFD')
        .replace(/[\u0300-\u036f]|\p{Cf}/gu, '')
        .normalize('NFC')
        .replace(/[øœæłđðþŋςı]/g, (letter) => typed[letter] ?? letter)
        .replace(/[‘’ʼ´′]/g, "'");
  return lower.replace(/['`]/g, '');
}

/**
 * The words of a name as the index holds them: folded, digits apart from letters, single letters between dots as one
 * word (E.T. is et), and numbers in words or Roman figures as digits. Scripts without spaces are cut into pairs.
 */
export function termsOf(name: string): string[] {
  const text = foldedText(name);
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
  return withNumbers(terms.slice(0, mostTerms)).map((term) => written.get(term) ?? term);
}

/** What names and people write short, and the one of two ways that names are compared in. */
const written = new Map(
  Object.entries({
    bros: 'brothers',
    dr: 'doctor',
    vs: 'versus',
    vol: 'volume',
    pt: 'part',
    jr: 'junior',
    sci: 'science',
    fi: 'fiction',
    n: 'and',
    und: 'and',
  }),
);

function pairsOf(run: string): string[] {
  const signs = [...run];
  if (signs.length === 1) return signs;
  return signs.slice(1).map((sign, at) => (signs[at] ?? '') + sign);
}

/** The terms of a name in Latin letters, for people who can't type its own; empty where it has none but these. */
export function latinTermsOf(name: string): string[] {
  if (plainAscii.test(name) || !/[^\p{sc=Latin}\p{sc=Common}\p{sc=Inherited}]/u.test(name)) return [];
  return termsOf(anyAscii(name));
}

const articles = new Set(['the', 'a', 'an']);
const small = new Set(
  'and of in on to for at with from by or is are my that this it der die das ein eine und le la les un une du de des et el los las y il lo gli e o os as het'.split(
    ' ',
  ),
);

/** Whether a term is an article, which names are compared without. */
export function isArticle(term: string): boolean {
  return articles.has(term);
}

/**
 * Whether a term is a small word of names, such as "of". Words that people leave out and put in without meaning
 * anything by it.
 */
export function isSmallWord(term: string): boolean {
  return articles.has(term) || small.has(term);
}
