import type { Word } from './words.ts';

/** What file managers call a copy, as `plain` writes it: numbered ones (copy2) too. */
const copies =
  /^(?:copy|kopie|copie|copia|kopia|kopi|kopio|kopya|kopija|duplicate|duplikat|duplicat|duplicado|masolat|копия|копія|αντιγραφο|コピー|副本|拷贝|복사본|사본)\d{0,2}$/u;
/** What may stand between that and the name of what was copied. */
const links = /^(?:of|von|van|de|di|do|da|du|d|af|av|aus|tiedostosta)$/;

/** Whether a word says that a copy was made. */
export function isCopy(word: string): boolean {
  return copies.test(word);
}

/**
 * How many words from words[at] on only say that a copy was made: "Copy of", "Kopie (2) von". Null where they don't;
 * "copy" behind a name is a word of its own.
 */
export function copyAt(words: readonly Pick<Word, 'text' | 'within'>[], at: number): number | null {
  const [copy, second, third] = words.slice(at, at + 3);
  if (copy === undefined || !isCopy(copy.text)) return null;
  if (second !== undefined && links.test(second.text)) return 2;
  const isNumbered = second?.within === '(' && /^\d{1,2}$/.test(second.text);
  if (!isNumbered || third === undefined) return null;
  return links.test(third.text) ? 3 : null;
}
