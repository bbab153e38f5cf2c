import { groupedBy } from '../../grouped-by.ts';
import { likeness } from './likeness.ts';
import type { Said } from './name.ts';
import { inFigures } from './numerals.ts';
import { isArticle, plain, type Word, wordKey, wordsOf } from './words.ts';

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
  /** Those whose title is nearly these words; else stands among them, the longest only; else holds them and more. */
  like(words: readonly Spelt[]): readonly Item[];
}

/** Fewer letters are in too many titles. */
const shortest = 5;

/** Looks up titles among those of a work's episodes or films, in any spelling. */
export function titleBook<Item>(items: readonly Item[], titleOf: (item: Item) => string): TitleBook<Item> {
  const entries = items.map((item) => {
    const words = wordsOf(plain(titleOf(item)));
    return {
      item,
      key: wordKey(words),
      figures: figuresIn(words),
      words: words.map((one) => wordKey([one])),
    };
  });
  type Entry = (typeof entries)[number];
  const byKey = groupedBy(entries, ({ key }) => key);
  byKey.delete('');
  const highest = (all: readonly Entry[], worth: (entry: Entry) => number) => {
    const valued = all.map((entry) => ({ entry, value: worth(entry) }));
    const best = Math.max(0, ...valued.map(({ value }) => value));
    return valued.filter(({ value }) => value > 0 && value === best).map(({ entry }) => entry);
  };
  return {
    named: (words) => (byKey.get(wordKey(words)) ?? []).map(({ item }) => item),
    like: (words) => {
      const [wanted, figures] = [wordKey(words), figuresIn(words)];
      if (wanted.length < 3 || /^\d+$/.test(wanted)) return [];
      const parts = words.map((one) => wordKey([one]));
      const isLong = ({ key }: Entry) => key.length >= shortest;
      const likenessTo = (entry: Entry) => {
        if (entry.key === wanted || entry.figures === figures) return 1;
        return isLong(entry) && wanted.length >= shortest ? likeness(wanted, entry.key, 5) : 0;
      };
      const within = entries.filter((entry) => isLong(entry) && holds(parts, entry.words));
      const ways = [
        highest(entries, likenessTo),
        highest(within, ({ key }) => key.length),
        entries.filter((entry) => holds(entry.words, parts)),
      ];
      return (ways.find((some) => some.length > 0) ?? []).map(({ item }) => item);
    },
  };
}

/** As `wordKey`, with numbers that are spelt out as figures: Ocean's Eleven is nearly Oceans 11. */
function figuresIn(words: readonly Spelt[]): string {
  return wordKey(words.map(({ text }) => ({ text: inFigures(text) })));
}

function holds(all: readonly string[], some: readonly string[]): boolean {
  if (some.length === 0) return false;
  return all.some((_, at) => some.every((word, index) => all[at + index] === word));
}

/** Words on each side that a title may have and that look like something else: no name needs more to be tried. */
const mostAround = 12;

/**
 * Looks for a title among explained words. What else they may be called does not hinder a word from being in it.
 * @returns what is named by words of which all others have another purpose; and as `core` the words in the middle, from
 * the first that nothing explains to the last
 */
export function titleIn<Item>({ words, roles }: Said, { named }: Pick<TitleBook<Item>, 'named'>) {
  const [first, last] = [roles.indexOf(null), roles.lastIndexOf(null)];
  const lead = first < 0 ? words.length - 1 : first;
  const found: ({ readonly item: Item } & WordRange)[] = [];
  for (let from = Math.max(0, lead - mostAround); from <= lead; from += 1) {
    const most = Math.min(words.length, Math.max(last + 1, from) + mostAround);
    for (let to = Math.max(last + 1, from + 1); to <= most; to += 1)
      for (const item of named(words.slice(from, to))) found.push({ item, from, to });
  }
  return { named: found, core: first < 0 ? [] : words.slice(first, last + 1) };
}

/** The ways in which a work's title is written. */
export interface TitleForms {
  /** Whole: with its article, with that behind it, or without. */
  readonly whole: ReadonlySet<string>;
  /** Its beginning: "Saltmarsh" of "Saltmarsh: The Long Watch", which another work may be called. */
  readonly part: ReadonlySet<string>;
  readonly words: readonly string[];
}

/**
 * The forms in which names write a work's title: whole, without its article, its beginning.
 * @param alsoCalled other names, which count as the title does
 */
export function titleForms(title: string, alsoCalled: readonly string[] = []): TitleForms {
  const words = wordsOf(plain(title));
  const all = [words, ...alsoCalled.map((name) => wordsOf(plain(name)))];
  const whole = new Set(all.flatMap(withoutArticle));
  const part = new Set(words.slice(1).map((_, at) => wordKey(words.slice(0, at + 1))));
  for (const key of whole) part.delete(key);
  return { whole, part, words: words.map(({ text }) => text) };
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

/** The title at words[at], the longest form of it. */
export function titleAt(words: readonly Word[], at: number, forms: TitleForms): FoundTitle | null {
  const start = words[at]?.start ?? 0;
  let [key, whole, part] = ['', 0, 0];
  for (const word of words.slice(at)) {
    key += wordKey([word]);
    if (forms.whole.has(key)) whole = word.end;
    if (forms.part.has(key)) part = word.end;
  }
  if (whole > 0) return { as: 'whole', start, end: whole };
  return part === 0 ? null : { as: 'part', start, end: part };
}
