import { groupedBy } from '../../grouped-by.ts';
import type { Explained, WordRange } from './explain.ts';
import { spellingOf, titleLikeness } from './likeness.ts';
import { isNumberName } from './numerals.ts';
import { isArticle, plain, type Span, type Word, wordKey, wordsOf } from './words.ts';

/** Titles by what two spellings of them share. */
export interface TitleBook<Item> {
  /** Those whose title these words are. */
  named(words: readonly Pick<Word, 'text'>[]): readonly Item[];
  /** Those whose title holds these words, one after the other, and more. */
  holding(words: readonly Pick<Word, 'text'>[]): readonly Item[];
  /** Those whose title stands among these words, the longest only. */
  within(words: readonly Pick<Word, 'text'>[]): readonly Item[];
  /** Those whose title is nearly these words, and for each how nearly (0 to 1). */
  near(words: readonly Pick<Word, 'text'>[]): ReadonlyMap<Item, number>;
}

/** Looks up titles among those of a work's episodes or films, however a name spells them. */
export function titleBook<Item>(items: readonly Item[], titleOf: (item: Item) => string): TitleBook<Item> {
  const entries = items.map((item) => {
    const words = wordsOf(plain(titleOf(item)));
    const key = wordKey(words);
    return { item, key, spelling: spellingOf(key), words: words.map(({ text }) => text) };
  });
  const byKey = groupedBy(entries, ({ key }) => key);
  byKey.delete('');
  return {
    named: (words) => (byKey.get(wordKey(words)) ?? []).map(({ item }) => item),
    holding: (words) => {
      const wanted = words.map(({ text }) => text);
      return entries
        .filter((entry) => entry.words.length > wanted.length && holds(entry.words, wanted))
        .map(({ item }) => item);
    },
    within: (words) => {
      const all = words.map(({ text }) => text);
      const found = entries.filter((entry) => entry.key.length >= shortest && holds(all, entry.words));
      const longest = Math.max(...found.map(({ key }) => key.length));
      return found.filter(({ key }) => key.length === longest).map(({ item }) => item);
    },
    near: (words) => {
      const wanted = spellingOf(wordKey(words));
      return new Map(
        entries.flatMap(({ item, spelling }) => {
          const like = titleLikeness(wanted, spelling);
          return like === 0 ? [] : [[item, like] as const];
        }),
      );
    },
  };
}

function holds(all: readonly string[], some: readonly string[]): boolean {
  if (some.length === 0) return false;
  return all.some((_, at) => some.every((word, index) => all[at + index] === word));
}

/** Fewer letters are in too many names. */
const shortest = 5;

interface TitleIn<Item> {
  /** What is named by words of which all others have another purpose; none where no title stands there. */
  readonly named: readonly ({ readonly item: Item } & WordRange)[];
  /** The words in the middle, from the first that nothing explains to the last. */
  readonly core: readonly Word[];
}

/** Looks for a title among explained words. What else they may be called does not hinder a word from being in it. */
export function titleIn<Item>({ words, roles }: Explained, book: TitleBook<Item>): TitleIn<Item> {
  const first = roles.indexOf(null);
  const last = roles.lastIndexOf(null);
  const lead = first < 0 ? words.length : first;
  const named: { item: Item; from: number; to: number }[] = [];
  for (let from = 0; from <= lead && from < words.length; from += 1) {
    for (let to = Math.max(last + 1, from + 1); to <= words.length; to += 1) {
      for (const item of book.named(words.slice(from, to))) named.push({ item, from, to });
    }
  }
  return { named, core: first < 0 ? [] : words.slice(first, last + 1) };
}

/** A title that would be something else for any other work: a number, a word for artwork. */
export function saysLittle({ words, roles }: Explained, { from, to }: WordRange): boolean {
  return words.slice(from, to).every(({ text }, at) => {
    const role = roles[from + at] ?? null;
    return (role !== null && role !== 'pictogram') || /^\d+$/.test(text) || isNumberName(text);
  });
}

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
    if (!isArticle(first.text) || rest.length === 0) return;
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

export interface FoundTitle extends Span {
  readonly as: 'whole' | 'part';
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
