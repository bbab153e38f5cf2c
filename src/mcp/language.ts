import { nearestWord, respelledWord } from './nearest.ts';

/** Whether a text is a BCP 47 tag that begins with an ISO 639 code, in lower case as such codes are written. */
export function isLanguageTag(text: string): boolean {
  return /^[a-z]{2,3}(-|$)/.test(text) && canonical(text) !== null;
}

/** A tag that a text may mean, and whether it can mean nothing else. */
export interface MeantLanguage {
  readonly meant: string | null;
  readonly certain: boolean;
}

/** The tag that a text may mean: another spelling of one (`EN`, `pt_BR`), or a language's name. Null for none. */
export function languageMeant(text: string): MeantLanguage {
  const tag = canonical(text.trim().replaceAll('_', '-'));
  if (tag !== null && isLanguageTag(tag)) return { meant: tag, certain: true };
  const named = languagesByName();
  const name = text.trim().normalize('NFC').toLowerCase();
  const names = [...named.keys()];
  const same = named.get(name) ?? named.get(respelledWord(name, names) ?? '');
  if (same !== undefined) return { meant: same, certain: true };
  return { meant: named.get(nearestWord(name, names) ?? '') ?? null, certain: false };
}

function canonical(text: string): string | null {
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
