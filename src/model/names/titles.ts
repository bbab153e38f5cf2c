import { groupedBy } from '../../grouped-by.ts';
import { likeness } from './likeness.ts';
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
    return {
      item,
      key: wordKey(words),
      figures: figuresIn(words),
      words: words.map((word) => wordKey([word])),
    };
  });
  const byKey = groupedBy(entries, ({ key }) => key);
  byKey.delete('');
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
      const [wanted, spelt] = [wordKey(words), figuresIn(words)];
      if (wanted === '') return [];
      const likenessTo = ({ key, figures }: (typeof entries)[number]) => {
        if (key === wanted || figures === spelt) return 1;
        return Math.min(key.length, wanted.length) < shortest ? 0 : likeness(wanted, key, 5);
      };
      return entries
        .map((entry) => [entry.item, likenessTo(entry)] as const)
        .filter(([, like]) => like > 0)
        .sort(([, one], [, other]) => other - one);
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
  /** Whole: with its article, with that behind it, or without. */
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
  const all = [words, ...alsoCalled.map((name) => wordsOf(plain(name)))];
  const whole = new Set(all.flatMap(withoutArticle));
  const part = new Set(words.slice(1).map((_, at) => wordKey(words.slice(0, at + 1))));
  for (const key of whole) part.delete(key);
  const longest = Math.max(...all.map(({ length }) => length)) + 1;
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

/** The title at words[at], the longest form of it. */
export function titleAt(words: readonly Word[], at: number, forms: TitleForms): FoundTitle | null {
  const some = words.slice(at, at + forms.longest);
  const ending = (keys: ReadonlySet<string>) =>
    some.findLast((_, last) => keys.has(wordKey(some.slice(0, last + 1))));
  const [start, whole, part] = [some[0]?.start ?? 0, ending(forms.whole), ending(forms.part)];
  if (whole !== undefined) return { as: 'whole', start, end: whole.end };
  return part === undefined ? null : { as: 'part', start, end: part.end };
}
