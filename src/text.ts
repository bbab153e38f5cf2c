const deepest = 64;

// Whatever might have to go: one test per string decides, since almost every string is clean.
const suspect =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
  /[\ufe00-\ufe0f\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\p{Cs}\u{e0000}-\u{e01ef}]/u;

const lineEnds = /\r\n?|[\u0085\u2028\u2029]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the purpose
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|\p{Cs}/gu;
const bidirectional = /\p{Bidi_Control}/gu;
const invisible = /[\u00ad\u200b\u2060-\u2064\u206a-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]/g;
// Persian, Indic scripts and emoji sequences need joiners; after anything else they only hide something.
const strayJoiners =
  /(?<![\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200c\u200d]|(?<=\p{Script=Latin})[\u200c\u200d]/gu;
// One selects a glyph; a row of them is a hidden message.
const strayVariations = /(?<=[\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]+/gu;
// Tag characters spell the flags of countries' parts after a black flag, and hidden text anywhere else.
const tags = /(\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,6}\u{e007f})|[\u{e0000}-\u{e007f}]/gu;

/**
 * Catalogue text without control characters (line feed and tab apart), bidirectional controls, lone
 * surrogates and characters that only hide something. What a script or an emoji needs stays.
 */
export function cleanText(text: string): string {
  if (!suspect.test(text)) return text;
  return text
    .replace(lineEnds, '\n')
    .replace(controls, '')
    .replace(bidirectional, '')
    .replace(invisible, '')
    .replace(tags, '$1')
    .replace(strayVariations, '')
    .replace(strayJoiners, '');
}

/** Makes a text of other people's fit to be shown. */
export type Clean = (text: string) => string;

const mask = '[secret]';

// A shorter text is no token, and could be a word of the text itself.
const shortestSecret = 12;

/**
 * As `cleanText`, and without the secrets that requests carried: a service, or a gateway before it, may quote what it was
 * sent, and its words end up in errors, results and the store. A secret is found as it stands and as URLs and JSON spell
 * it, whether or not base64's padding is there. A part of it, and more escapes than one, are not found.
 */
export function cleanerWithout(...secrets: readonly string[]): Clean {
  const spellings = secrets
    .filter((secret) => secret.length >= shortestSecret)
    .flatMap((secret) => [secret, secret.replace(/(?<=.{8})=+$/, '')])
    .flatMap((secret) => [secret, ...urlSpellings(secret), secret.replaceAll('/', String.raw`\/`)]);
  const longestFirst = [...new Set(spellings)].sort((one, other) => other.length - one.length);
  if (longestFirst.length === 0) return cleanText;
  return (text) => longestFirst.reduce((left, one) => left.replaceAll(one, mask), cleanText(text));
}

function urlSpellings(secret: string): string[] {
  const encoded = encodeURIComponent(secret);
  return [encoded, encoded.replace(/%../g, (one) => one.toLowerCase())];
}

/**
 * Other people's words as a part of a sentence of ours: in marks that they can't close, so that a reader sees where ours
 * go on.
 */
export function quoted(words: string): string {
  return `“${words.replace(/[“”„‟〝〞"＂]/gu, "'")}”`;
}

/** The same of a whole sentence, after which ours ends. */
export function quotedSentence(words: string): string {
  return quoted(words.replace(/[.\s]+$/, ''));
}

/** Names in our answers that lead a caller on or speak to it. A record that has the like of one shows it renamed. */
const ourNames: ReadonlySet<string> = new Set(
  'next nextcall nextcursor donot why tool arguments omitted unfinished view warning warnings instruction instructions'.split(
    ' ',
  ),
);

/** As fields are named: a word, some words together, or an id. What is longer may be a sentence. */
const fieldName = /^[\w$.:@-]{1,40}$/;
const mostWordsOfName = 5;
const betweenWords = /[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/;

/**
 * The name under which an answer shows a member of other people's records. It is never one of ours, and never a text:
 * a member that has a text for a name is called by its number.
 */
function nameOfMember(key: string, number: number): string {
  const known = usualNames.get(key);
  if (known !== undefined) return known;
  const name = namedSafely(key, number);
  // Lists repeat the same few names, however many elements they have.
  if (usualNames.size < mostUsualNames && name !== `member${number}`) usualNames.set(key, name);
  return name;
}

const usualNames = new Map<string, string>();
const mostUsualNames = 2_000;

function namedSafely(key: string, number: number): string {
  const words = key.split(betweenWords).filter((word) => word !== '');
  if (!fieldName.test(key) || words.length > mostWordsOfName) return `member${number}`;
  const plain = words.join('').toLowerCase();
  return ourNames.has(plain) ? `service${plain.charAt(0).toUpperCase()}${plain.slice(1)}` : key;
}

/**
 * Cleans every string of a freshly parsed JSON value, and the names of its members (`nameOfMember`), changing it in place.
 * What is nested deeper than anything of the service becomes null.
 */
export function cleanJson(value: unknown, clean: Clean = cleanText, depth = 0): unknown {
  if (typeof value === 'string') return clean(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === deepest) return null;
  if (!Array.isArray(value)) return cleanRecord(value as Record<string, unknown>, clean, depth);
  for (let index = 0; index < value.length; index++) value[index] = cleanJson(value[index], clean, depth + 1);
  return value;
}

function cleanRecord(record: Record<string, unknown>, clean: Clean, depth: number): Record<string, unknown> {
  for (const [at, key] of Object.keys(record).entries()) {
    const cleaned = cleanJson(record[key], clean, depth + 1);
    const cleanKey = nameOfMember(clean(key), at + 1);
    // As an own property of parsed JSON it is harmless; copied by assignment it would be a prototype.
    if (cleanKey !== key || key === '__proto__') delete record[key];
    if (cleanKey !== '__proto__' && (cleanKey === key || !Object.hasOwn(record, cleanKey))) {
      record[cleanKey] = cleaned;
    }
  }
  return record;
}

/**
 * A text read as JSON; undefined where it is none. Why it is none is not told: the parser's words would quote it, and
 * it may hold a secret.
 */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** A kind or type with its article: `an episode`. */
export function withArticle(noun: string): string {
  return `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;
}
