import { wordKey, plain, type Word, wordsOf } from './words.ts';

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
    return { item, ...spellingOf(wordKey(words)), words: words.map(({ text }) => text) };
  });
  const byKey = new Map<string, Item[]>();
  for (const { item, key } of entries) {
    if (key !== '') byKey.set(key, [...(byKey.get(key) ?? []), item]);
  }
  return {
    named: (words) => byKey.get(wordKey(words)) ?? [],
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
        entries.flatMap((entry) => {
          const likeness = likenessOf(wanted, entry);
          return likeness === null ? [] : [[entry.item, likeness] as const];
        }),
      );
    },
  };
}

function holds(all: readonly string[], some: readonly string[]): boolean {
  if (some.length === 0) return false;
  return all.some((_, at) => some.every((word, index) => all[at + index] === word));
}

const nearly = 0.8;
const shortest = 5;

/** A title or some words of a name, with what tells quickly that another is not near. */
interface Spelling {
  readonly key: string;
  /** How often letters occur, by the rest of their code. */
  readonly letters: Uint16Array;
}

const buckets = 32;

function spellingOf(key: string): Spelling {
  const letters = new Uint16Array(buckets);
  for (let at = 0; at < key.length; at += 1) {
    const bucket = key.charCodeAt(at) % buckets;
    letters[bucket] = (letters[bucket] ?? 0) + 1;
  }
  return { key, letters };
}

/** 1 for the same, null where too much differs: of a handful of letters one, of more a fifth. */
function likenessOf(one: Spelling, other: Spelling): number | null {
  const length = Math.max(one.key.length, other.key.length);
  if (Math.min(one.key.length, other.key.length) < shortest) {
    return one.key === other.key && one.key !== '' ? 1 : null;
  }
  const most = Math.floor(length * (1 - nearly));
  if (Math.abs(one.key.length - other.key.length) > most) return null;
  // Each edit mends two letters at most.
  if (strayLetters(one, other) > 2 * most) return null;
  const distance = edits(one.key, other.key, most);
  return distance > most ? null : 1 - distance / length;
}

/** Letters that one has and the other has not, or fewer where two fall into one bucket. */
function strayLetters(one: Spelling, other: Spelling): number {
  let stray = 0;
  for (let bucket = 0; bucket < buckets; bucket += 1) {
    stray += Math.abs((one.letters[bucket] ?? 0) - (other.letters[bucket] ?? 0));
  }
  return stray;
}

/** Letters to insert, delete or change (Levenshtein), or more than `most`. */
function edits(one: string, other: string, most: number): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    let least = i;
    for (let j = 1; j <= other.length; j += 1) {
      const changed = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      const cost = Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
      next.push(cost);
      least = Math.min(least, cost);
    }
    if (least > most) return least;
    row = next;
  }
  return row[other.length] ?? 0;
}
