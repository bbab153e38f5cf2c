/** Words that begin with a capital. */
export function capitalisedWords(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

// What Intl knows takes megabytes, and most calls need no words of it.
let languages: Intl.DisplayNames | null = null;
/** A list of pictures names the same few again and again, and each name is dear. */
const languageNames = new Map<string, string>();
/** Codes are other people's writing. */
const mostLanguages = 500;

/** A language as people call it: English for `en`; the code itself where it names no language. */
export function languageWords(code: string): string {
  const known = languageNames.get(code);
  if (known !== undefined) return known;
  languages ??= new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
  try {
    const words = languages.of(code) ?? code;
    if (languageNames.size < mostLanguages) languageNames.set(code, words);
    return words;
  } catch (error) {
    // Other people's writing: what is no language tag is shown as it is.
    if (error instanceof RangeError) return code;
    throw error;
  }
}

/** So many of something: `1 file`, `3 files`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`}`;
}
