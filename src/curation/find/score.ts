import { likeness } from '../../model/names/likeness.ts';
import type { Asked } from './query.ts';
import { canBeInitials, initials, weightOf } from './terms.ts';

/** What is compared with a question. */
export interface Compared {
  readonly kind: string;
  readonly year: number | null;
  readonly season: number | null;
  readonly episode: number | null;
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

/** A word that is spelt otherwise is as good as this at least. */
const alike = 0.6;

/** How well a title answers a question: how much of the question it explains, and then how much of its name was asked for. */
export function scoreOf(asked: Asked, title: Compared, isLoose: boolean): Score {
  const own = matchWords(asked, title.name, isLoose);
  const around = title.around.map((words) => matchWords(asked, words, isLoose));
  const explained = new Set<number>();
  let [found, all] = [0, 0];
  let meant = false;
  asked.words.forEach((word, at) => {
    const named = Math.max(own.by[at] ?? 0, ...around.map(({ by }) => 0.97 * (by[at] ?? 0)));
    const said = saysSo(asked, at, title);
    const value = Math.max(named, said);
    if (value > 0) explained.add(at);
    if (said > named) meant = true;
    const weight = word.means === 'filler' ? 0.05 : word.weight;
    found += weight * value;
    all += weight;
  });
  const coverage = all === 0 ? 0 : found / all;
  // Sets of a show, or its fifth episode, were asked for by what they are.
  const isAll = own.share === 0 && meant && around.some(({ share }) => share > 0);
  const share = isAll ? 1 : own.share;
  return { likeness: coverage ** 1.5 * (0.7 + 0.3 * share), isWhole: coverage > 0.93, explained };
}

/** How far a word means what is right for the title. */
function saysSo({ words, season, episode, year }: Asked, at: number, title: Compared): number {
  const word = words[at];
  const isSo = (is: boolean) => (is ? 1 : 0);
  switch (word?.means) {
    case 'number': {
      if (season !== null && title.season !== season) return 0;
      if (title.kind === 'season') return isSo(episode === null);
      if (title.kind !== 'episode') return 0;
      // It is in the season that was asked for.
      if (episode === null) return 0.8;
      return isSo(episode === 'last' ? title.isLast : title.episode === episode);
    }
    case 'year':
      return isSo(title.year !== null && title.year === year);
    case 'kind':
      return isSo([...word.kinds].some((kind) => kind === title.kind));
    default:
      return 0;
  }
}

interface Matched {
  /** How well each word of the question is found among them. */
  readonly by: readonly number[];
  /** How much of them was asked for. */
  readonly share: number;
}

function matchWords({ words }: Asked, name: readonly string[], isLoose: boolean): Matched {
  const by = words.map(() => 0);
  const taken = name.map(() => 0);
  const take = (from: number, upTo: number, at: number, of: number, value: number) => {
    for (let one = from; one < upTo; one += 1) by[one] = Math.max(by[one] ?? 0, value);
    for (let one = at; one < of; one += 1) taken[one] = Math.max(taken[one] ?? 0, value);
  };
  words.forEach((word, from) => {
    const exact = name.findIndex((text, at) => text === word.text && taken[at] === 0);
    if (exact >= 0) take(from, from + 1, exact, exact + 1, 1);
  });
  words.forEach(({ text }, from) => {
    if ((by[from] ?? 0) === 1) return;
    const next = words[from + 1]?.text;
    name.forEach((own, at) => {
      if (next !== undefined && own === text + next) take(from, from + 2, at, at + 1, 1);
      for (let length = 2; length <= 3 && at + length <= name.length; length += 1)
        if (name.slice(at, at + length).join('') === text) take(from, from + 1, at, at + length, 1);
      if (isLoose && (by[from] ?? 0) < 1 && taken[at] !== 1) {
        const value = likeness(text, own);
        if (value >= alike) take(from, from + 1, at, at + 1, value);
      }
    });
    const length = text.length;
    if ((by[from] ?? 0) > 0 || !canBeInitials(text)) return;
    const at = name.findIndex((_, first) => initials(name.slice(first, first + length)) === text);
    if (at >= 0) take(from, from + 1, at, at + length, 0.95);
  });
  const weights = name.map(weightOf);
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const share = weights.reduce((sum, weight, at) => sum + weight * (taken[at] ?? 0), 0);
  return { by, share: all === 0 ? 0 : share / all };
}
