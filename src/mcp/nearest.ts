import { editsBetween } from '../model/names/likeness.ts';

/**
 * The word that was most likely meant: one that differs in no more than a third of its letters, else the only one
 * that begins or ends with what was given, or the other way round. Null for none; a word is never guessed for its own
 * opposite (`unfollow`).
 */
export function nearestWord(given: unknown, all: readonly unknown[]): string | null {
  if (typeof given !== 'string' || given.length > longest) return null;
  const words = all.filter((word) => typeof word === 'string' && !areOpposites(plain(given), plain(word)));
  let best: string | null = null;
  let fewest = Number.POSITIVE_INFINITY;
  for (const word of words) {
    if (typeof word !== 'string') continue;
    const most = Math.round(word.length / 3);
    const edits = editsBetween(plain(given), plain(word), most);
    if (edits <= most && edits < fewest) [best, fewest] = [word, edits];
  }
  return best ?? partly(plain(given), words);
}

/**
 * The word that was given in another spelling, which can't mean anything else: in another case, as a plural, or with
 * one or two letters wrong where no other word is as near. Null for none.
 */
export function respelledWord(given: unknown, words: readonly unknown[]): string | null {
  const near = nearestWord(given, words);
  if (near === null || typeof given !== 'string') return null;
  const distance = (word: string) => {
    const edits = editsBetween(plain(given), plain(word), longest);
    return plain(given) === `${plain(word)}s` ? 0 : edits;
  };
  const edits = distance(near);
  if (edits > Math.min(mostWrong, Math.round(near.length / 3))) return null;
  const others = words.filter((word): word is string => typeof word === 'string' && word !== near);
  return others.some((word) => distance(word) <= edits) ? null : near;
}

const mostWrong = 2;

const negations = ['un', 'de', 'dis', 'non', 'not', 'no', 'in', 'im', 'anti', 'without'];

/** One is the other with a negation before it. */
function areOpposites(one: string, other: string): boolean {
  return negates(one, other) || negates(other, one);
}

function negates(word: string, other: string): boolean {
  return negations.some((negation) => {
    if (!word.startsWith(negation) || other.startsWith(negation)) return false;
    const rest = word.slice(negation.length);
    return rest.length > 2 && (rest.startsWith(other) || editsBetween(rest, other, 1) <= 1);
  });
}

function partly(given: string, words: readonly unknown[]): string | null {
  const found = words.filter(
    (word): word is string =>
      typeof word === 'string' &&
      Math.min(given.length, plain(word).length) >= shortestPart &&
      [given, plain(word)].some(
        (part, at, both) => both[1 - at]?.startsWith(part) || both[1 - at]?.endsWith(part),
      ),
  );
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** Fewer letters stand in too many words. */
const shortestPart = 4;

const longest = 60;

/** Case and separators are what is most often mistaken. */
function plain(word: string): string {
  return word.toLowerCase().replace(/[\s_-]/g, '');
}

/** Whether a text is a BCP 47 tag that begins with an ISO 639 code, in lower case as such codes are written. */
export function isLanguageTag(text: string): boolean {
  return /^[a-z]{2,3}(-|$)/.test(text) && canonicalTag(text) !== null;
}

/** A tag that a text may mean, and whether it can mean nothing else. */
interface MeantLanguage {
  readonly meant: string | null;
  readonly certain: boolean;
}

/** The tag that a text may mean: another spelling of one (`EN`, `pt_BR`), or a language's name. Null for none. */
export function languageMeant(text: string): MeantLanguage {
  const tag = canonicalTag(text.trim().replaceAll('_', '-'));
  if (tag !== null && isLanguageTag(tag)) return { meant: tag, certain: true };
  const named = languagesByName();
  const name = text.trim().normalize('NFC').toLowerCase();
  const names = [...named.keys()];
  const same = named.get(name) ?? named.get(respelledWord(name, names) ?? '');
  if (same !== undefined) return { meant: same, certain: true };
  return { meant: named.get(nearestWord(name, names) ?? '') ?? null, certain: false };
}

function canonicalTag(text: string): string | null {
  try {
    return Intl.getCanonicalLocales(text)[0] ?? null;
  } catch (error) {
    // Thrown for what has not the form of a tag.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The languages with a code of two letters, by their names in English and in themselves. */
function languagesByName(): ReadonlyMap<string, string> {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  const inEnglish = namesIn('en');
  const named = new Map<string, string>();
  for (const code of codes) {
    const english = inEnglish.of(code);
    if (english === undefined) continue;
    for (const name of [namesIn(code).of(code), english]) {
      if (name !== undefined) named.set(name.normalize('NFC').toLowerCase(), code);
    }
  }
  return named;
}

function namesIn(language: string): Intl.DisplayNames {
  return new Intl.DisplayNames([language], { type: 'language', fallback: 'none' });
}
