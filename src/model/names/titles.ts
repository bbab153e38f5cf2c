import { groupedBy } from '../../grouped-by.ts';
import { lettersOf, mayBeAlike, titleLikeness } from './likeness.ts';
import { inFigures } from './numerals.ts';
import { isArticle, plain, spelledOut, type Word, wordKey, wordsOf } from './words.ts';

type Spelt = Pick<Word, 'text'>;

/** Words from `from` to before `to`. */
export interface WordRange {
  readonly from: number;
  readonly to: number;
}

/** Titles by what two spellings of them share. */
export interface TitleBook<Item> {
  /** Those whose title these words are. */
  named(words: readonly Spelt[]): readonly Item[];
  /** Those whose title holds these words, one after the other, and more. */
  holding(words: readonly Spelt[]): readonly Item[];
  /** Those whose title stands among these words, the longest only. */
  within(words: readonly Spelt[]): readonly Item[];
  /** Those whose title is nearly these words, the nearest first, with how near (0 to 1). */
  near(words: readonly Spelt[]): readonly (readonly [Item, number])[];
}

/** Fewer letters are in too many names. */
const shortest = 5;

/** Looks up titles among those of a work's episodes or films, in any spelling. */
export function titleBook<Item>(items: readonly Item[], titleOf: (item: Item) => string): TitleBook<Item> {
  const entries = items.map((item) => {
    const words = wordsOf(plain(titleOf(item)));
    const key = wordKey(words);
    return {
      item,
      key,
      figures: keyInFigures(words),
      letters: lettersOf(key),
      words: words.map((word) => wordKey([word])),
    };
  });
  const byKey = groupedBy(entries, ({ key }) => key);
  byKey.delete('');
  const nearTo = (wanted: string, spelt: string) => {
    const letters = lettersOf(wanted);
    return entries
      .filter((entry) => mayBeAlike(letters, entry.letters) || entry.figures === spelt)
      .flatMap(({ item, key, figures }) => {
        const like = figures === spelt ? 1 : titleLikeness(wanted, key);
        return like === 0 ? [] : [[item, like] as const];
      })
      .sort(([, one], [, other]) => other - one);
  };
  // One name is asked about several times, one after the other.
  let last: { key: string; near: ReturnType<typeof nearTo> } = { key: '', near: [] };
  return {
    named: (words) => (byKey.get(wordKey(words)) ?? []).map(({ item }) => item),
    holding: (words) => {
      const wanted = words.map((word) => wordKey([word]));
      return entries
        .filter((entry) => entry.words.length > wanted.length && holds(entry.words, wanted))
        .map(({ item }) => item);
    },
    within: (words) => {
      const all = words.map((word) => wordKey([word]));
      const found = entries.filter((entry) => entry.key.length >= shortest && holds(all, entry.words));
      const longest = Math.max(...found.map(({ key }) => key.length));
      return found.filter(({ key }) => key.length === longest).map(({ item }) => item);
    },
    near: (words) => {
      const key = wordKey(words);
      if (key === '') return [];
      if (key !== last.key) last = { key, near: nearTo(key, keyInFigures(words)) };
      return last.near;
    },
  };
}

/** As `wordKey`, with numbers that are spelt out as figures: Ocean's Eleven is nearly Oceans 11. */
function keyInFigures(words: readonly Spelt[]): string {
  return wordKey(words.map(({ text }) => ({ text: inFigures(text).replaceAll("'", '') })));
}

function holds(all: readonly string[], some: readonly string[]): boolean {
  if (some.length === 0) return false;
  return all.some((_, at) => some.every((word, index) => all[at + index] === word));
}

interface SaidWords {
  readonly words: readonly Word[];
  /** Null for a word that nothing explains. */
  readonly roles: readonly (string | null)[];
}

interface TitleIn<Item> {
  /** What is named by words of which all others have another purpose; none where no title stands there. */
  readonly named: readonly ({ readonly item: Item } & WordRange)[];
  /** The words in the middle, from the first that nothing explains to the last. */
  readonly core: readonly Word[];
}

/** Looks for a title among explained words. What else they may be called does not hinder a word from being in it. */
export function titleIn<Item>(
  { words, roles }: SaidWords,
  book: Pick<TitleBook<Item>, 'named'>,
): TitleIn<Item> {
  const first = roles.indexOf(null);
  const last = roles.lastIndexOf(null);
  const lead = first < 0 ? words.length - 1 : first;
  const named: { item: Item; from: number; to: number }[] = [];
  for (let from = Math.max(0, lead - mostAround); from <= lead; from += 1) {
    const most = Math.min(words.length, Math.max(last + 1, from) + mostAround);
    for (let to = Math.max(last + 1, from + 1); to <= most; to += 1) {
      for (const item of book.named(words.slice(from, to))) named.push({ item, from, to });
    }
  }
  return { named, core: first < 0 ? [] : words.slice(first, last + 1) };
}

/** Words on each side that a title may have and that look like something else: no name needs more to be tried. */
const mostAround = 12;

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
 * The forms in which names write a work's title: whole, without its article, its beginning.
 * @param alsoCalled other names, which count as the title does
 */
export function titleForms(title: string, alsoCalled: readonly string[] = []): TitleForms {
  const words = wordsOf(plain(title));
  // Titles in several languages stand beside each other.
  const sides = title.split(/\s+[·|/]\s+/).map((side) => wordsOf(plain(side)));
  const others = alsoCalled.map((name) => wordsOf(plain(name)));
  const all = [
    words,
    wordsOf(plain(spelledOut(title))),
    ...sides.filter(({ length }) => length > 1),
    ...others,
  ];
  const whole = new Set(all.flatMap(withoutArticle));
  const part = new Set(words.slice(1).map((_, at) => wordKey(words.slice(0, at + 1))));
  for (const key of whole) part.delete(key);
  const longest = Math.max(words.length, ...others.map(({ length }) => length)) + 1;
  return { whole, part, longest, words: words.map(({ text }) => text) };
}

/** A title as it is, and with its article behind it or left out. */
function withoutArticle(words: readonly Word[]): string[] {
  const [first, ...rest] = words;
  if (first === undefined) return [];
  const own = [wordKey(words)];
  if (!isArticle(first.text) || rest.length === 0) return own;
  return [...own, wordKey([...rest, first]), ...(rest.length > 1 ? [wordKey(rest)] : [])];
}

export interface FoundTitle {
  readonly as: 'whole' | 'part';
  readonly start: number;
  readonly end: number;
}

const glued = /^(.+?)(?:s\d{1,4}e\d{1,4}|\d{1,2}x\d{1,4}|season\d{1,4})$/;
const gluedYear = /(?<=.)(?:19|20)\d{2}$/;

/** The title at words[at], the longest form of it; a number of an episode may follow without a gap. */
export function titleAt(words: readonly Word[], at: number, forms: TitleForms): FoundTitle | null {
  let found: FoundTitle | null = null;
  for (let length = 1; length <= Math.min(forms.longest, words.length - at); length += 1) {
    const some = words.slice(at, at + length);
    const [first, last] = [some[0], some.at(-1)];
    if (first === undefined || last === undefined) break;
    const key = wordKey(some);
    const before = glued.exec(last.text)?.[1];
    const cut = [before, before?.replace(gluedYear, '')].find(
      (part) => part !== undefined && forms.whole.has(wordKey([...some.slice(0, -1), { text: part }])),
    );
    if (forms.whole.has(key)) found = { as: 'whole', start: first.start, end: last.end };
    else if (found?.as !== 'whole' && forms.part.has(key)) {
      found = { as: 'part', start: first.start, end: last.end };
    } else if (cut !== undefined) {
      return { as: 'whole', start: first.start, end: last.start + cut.length };
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
