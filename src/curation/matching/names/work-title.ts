import { wordKey, plain, type Word, wordsOf } from './words.ts';

/** The ways in which a work's title is written. */
export interface TitleForms {
  /** Whole: with or without its article, or one of the titles that stand beside each other in it. */
  readonly whole: ReadonlySet<string>;
  /** Its beginning: "Saltmarsh" of "Saltmarsh: The Long Watch", which another work may be called. */
  readonly part: ReadonlySet<string>;
  /** Words of the longest form. */
  readonly longest: number;
  readonly words: readonly string[];
}

const article = /^(?:the|a|an|der|die|das|le|la|les|el|los|las|il|lo)$/;

/**
 * The forms in which names write a work's title: whole, without its article, in initials.
 * @param alsoCalled other names, which count as the title does
 */
export function titleForms(title: string, alsoCalled: readonly string[] = []): TitleForms {
  const words = wordsOf(plain(title));
  const whole = new Set<string>();
  const add = (some: readonly Word[]) => {
    const [first, ...rest] = some;
    if (first === undefined) return;
    whole.add(wordKey(some));
    if (!article.test(first.text) || rest.length === 0) return;
    whole.add(wordKey([...rest, first]));
    if (rest.length > 1) whole.add(wordKey(rest));
  };
  add(words);
  // Titles in several languages beside each other.
  for (const side of title.split(/\s+[·|/]\s+/)) {
    const some = wordsOf(plain(side));
    if (some.length > 1) add(some);
  }
  const others = alsoCalled.map((name) => wordsOf(plain(name)));
  others.forEach(add);
  const part = new Set<string>();
  for (let length = 1; length < words.length; length += 1) part.add(wordKey(words.slice(0, length)));
  for (const key of whole) part.delete(key);
  const longest = Math.max(words.length, ...others.map(({ length }) => length)) + 1;
  return { whole, part, longest, words: words.map(({ text }) => text) };
}

export interface FoundTitle {
  readonly as: 'whole' | 'part';
  readonly start: number;
  readonly end: number;
}

/** The title at words[at], the longest form of it; a number of an episode may follow without a gap. */
export function titleAt(words: readonly Word[], at: number, forms: TitleForms): FoundTitle | null {
  let found: FoundTitle | null = null;
  for (let length = 1; length <= Math.min(forms.longest, words.length - at); length += 1) {
    const some = words.slice(at, at + length);
    const [first, last] = [some[0], some.at(-1)];
    if (first === undefined || last === undefined) break;
    const key = wordKey(some);
    if (forms.whole.has(key)) found = { as: 'whole', start: first.start, end: last.end };
    else if (found?.as !== 'whole' && forms.part.has(key)) {
      found = { as: 'part', start: first.start, end: last.end };
    } else {
      const glued = /^(.+?)(?:s\d{1,4}e\d{1,4}|\d{1,2}x\d{1,4}|season\d{1,4})$/.exec(last.text)?.[1];
      if (glued === undefined) continue;
      const cut = { ...last, text: glued, end: last.start + glued.length };
      if (forms.whole.has(wordKey([...some.slice(0, -1), cut]))) {
        return { as: 'whole', start: first.start, end: cut.end };
      }
    }
  }
  return found;
}

const longestAbbreviation = 12;

/** Whether a word is put together from beginnings of all the title's words: brba, bb. */
export function abbreviates(word: string, { words }: TitleForms): boolean {
  const from = (at: number, index: number): boolean => {
    if (index === words.length) return at === word.length;
    const next = words[index] ?? '';
    for (let length = 1; length <= next.length && word.startsWith(next.slice(0, length), at); length += 1) {
      if (from(at + length, index + 1)) return true;
    }
    return false;
  };
  return words.length > 1 && word.length <= longestAbbreviation && from(0, 0);
}
