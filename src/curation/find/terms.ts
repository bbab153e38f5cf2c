import anyAscii from 'any-ascii';

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
function foldedText(text: string): string {
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

/** Numbers as people say them, and as names write them, become digits: both sides are compared so. */

const units =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');

const values = new Map<string, number>([
  ...units.map((word, value) => [word, value] as const),
  ...tens.map((word, at) => [word, (at + 2) * 10] as const),
]);

const romans = new Map(
  'i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx'
    .split(' ')
    .map((word, at) => [word, String(at + 1)] as const),
);

/**
 * A text with the numbers among its words as digits. Only those in words, in a text: season twenty one is season
 * 21.
 */
export function withDigits(text: string): string {
  const words = text.split(' ');
  const found: string[] = [];
  for (let at = 0; at < words.length; ) {
    const { value, length } = numberAt(words, at);
    found.push(value ?? words[at] ?? '');
    at += Math.max(1, length);
  }
  return found.join(' ');
}

const decades = new Map(
  'twenties thirties forties fifties sixties seventies eighties nineties'
    .split(' ')
    .map((word, at) => [word, String(1920 + at * 10)] as const),
);

/** Terms with the numbers among them as digits, whether in words or in Roman digits. */
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
    const roman = romans.get(term);
    // One letter alone is a number only behind something that it can number.
    found.push(roman !== undefined && (term.length > 1 || at > 0) ? roman : withoutZeros(term));
    at += 1;
  }
  return found;
}

function withoutZeros(term: string): string {
  return /^0\d+$/.test(term) ? String(Number(term)) : term;
}

interface Spoken {
  readonly value: string | null;
  /** How many words it takes. */
  readonly length: number;
}

const none: Spoken = { value: null, length: 0 };

/** A number in words: forty nine, two thousand one, three hundred; and a year as it is said: twenty forty nine. */
function numberAt(terms: readonly string[], at: number): Spoken {
  const first = below100(terms, at);
  if (first === null) return none;
  const scale = { hundred: 100, thousand: 1_000 }[terms[at + first.length] ?? ''];
  if (scale !== undefined) {
    const rest = below100(terms, at + first.length + 1);
    const value = first.value * scale + (rest?.value ?? 0);
    return { value: String(value), length: first.length + 1 + (rest?.length ?? 0) };
  }
  const second = below100(terms, at + first.length);
  if (first.value >= 10 && second !== null && second.value >= 10) {
    return { value: `${first.value}${second.value}`, length: first.length + second.length };
  }
  return { value: String(first.value), length: first.length };
}

function below100(terms: readonly string[], at: number): { value: number; length: number } | null {
  const value = values.get(terms[at] ?? '');
  if (value === undefined) return null;
  const unit = values.get(terms[at + 1] ?? '') ?? 0;
  return value >= 20 && unit > 0 && unit < 10 ? { value: value + unit, length: 2 } : { value, length: 1 };
}
