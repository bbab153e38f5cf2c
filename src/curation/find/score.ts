import { likeness } from '../../model/names/likeness.ts';
import type { Asked } from './question.ts';
import { canBeInitials, initialsOf, weightOf } from './terms.ts';
import type { TitleFacts } from './titles.ts';

/** What is compared with a question. */
export interface Compared extends Pick<TitleFacts, 'kind' | 'year' | 'season' | 'episode'> {
  readonly isLast: boolean;
  /** Words of its own name. */
  readonly name: readonly string[];
  /** Words of what it is in: its show, what it is for, who made it. */
  readonly around: readonly (readonly string[])[];
}

export interface Score {
  /** 1 for exactly what was asked. */
  readonly likeness: number;
  /** Nothing of the question is left unexplained: no other spelling is needed. */
  readonly isWhole: boolean;
  /** The words of the question that it explains, by their index. */
  readonly explained: ReadonlySet<number>;
}

/** How well a title answers a question: how much of the question it explains, and then how much of its name was asked for. */
export function scoreOf(asked: Asked, title: Compared, isLoose: boolean): Score {
  const own = matched(asked, title.name, isLoose);
  const around = title.around.map((words) => matched(asked, words, isLoose));
  const explained = new Set<number>();
  let [found, all] = [0, 0];
  asked.words.forEach((word, at) => {
    const value = Math.max(saysSo(asked, at, title), ...[own, ...around].map(({ by }) => by[at] ?? 0));
    if (value > 0) explained.add(at);
    found += word.weight * value;
    all += word.weight;
  });
  const coverage = all === 0 ? 0 : found / all;
  // Sets of a show, or its fifth episode, were asked for by what they are.
  const isAsked = own.share === 0 && around.some(({ share }) => share > 0);
  const share = isAsked ? 1 : own.share;
  return { likeness: coverage * (0.7 + 0.3 * share), isWhole: coverage > 0.93, explained };
}

/** How far a word means what is right for the title. */
function saysSo({ words, season, episode, year }: Asked, at: number, title: Compared): number {
  const word = words[at];
  switch (word?.means) {
    case 'number': {
      if (season !== null && title.season !== season) return 0;
      if (title.kind === 'season') return Number(episode === null);
      if (title.kind !== 'episode') return 0;
      // It is in the season that was asked for.
      if (episode === null) return 0.8;
      return Number(episode === 'last' ? title.isLast : title.episode === episode);
    }
    case 'year':
      return Number(title.year !== null && title.year === year);
    case 'kind':
      return Number([...word.kinds].some((kind) => kind === title.kind));
    default:
      return 0;
  }
}

/** A word that is spelt otherwise is as good as this at least. */
const leastAlike = 0.6;

interface Pair {
  /** Words of the question from here on, and how many. */
  readonly from: number;
  readonly length: number;
  /** Words of the name. */
  readonly at: number;
  readonly size: number;
  readonly value: number;
}

/** How well each word of the question is found in a name, and how much of the name was asked for. */
function matched({ words }: Asked, name: readonly string[], isLoose: boolean) {
  const pairs: Pair[] = [];
  words.forEach(({ text }, from) => {
    const joined = text + (words[from + 1]?.text ?? ' ');
    name.forEach((own, at) => {
      if (own === text) pairs.push({ from, length: 1, at, size: 1, value: 1 });
      else if (own === joined) pairs.push({ from, length: 2, at, size: 1, value: 1 });
      else if (isLoose) {
        const value = likeness(text, own);
        if (value >= leastAlike) pairs.push({ from, length: 1, at, size: 1, value });
      }
      if (own[0] !== text[0]) return;
      for (const size of [2, 3])
        if (name.slice(at, at + size).join('') === text) pairs.push({ from, length: 1, at, size, value: 1 });
      const size = text.length;
      if (canBeInitials(text) && initialsOf(name.slice(at, at + size)) === text)
        pairs.push({ from, length: 1, at, size, value: 0.95 });
    });
  });
  const by = words.map(() => 0);
  const taken = name.map(() => 0);
  for (const { from, length, at, size, value } of pairs.sort((one, other) => other.value - one.value)) {
    const isFree = !by.slice(from, from + length).some(Boolean) && !taken.slice(at, at + size).some(Boolean);
    if (isFree) {
      by.fill(value, from, from + length);
      taken.fill(value, at, at + size);
    }
  }
  const weights = name.map(weightOf);
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const asked = weights.reduce((sum, weight, at) => sum + weight * (taken[at] ?? 0), 0);
  return { by, share: all === 0 ? 0 : asked / all };
}
