import { likeness } from '../../model/names/likeness.ts';
import { isArticle, isSmallWord } from '../../model/names/words.ts';
import type { SpokenPart } from './asked.ts';
import { initialsOf } from './terms.ts';

/** What a title is compared by. */
export interface ComparedName {
  /** The words of its name, once for each script that it can be written in. */
  readonly names: readonly (readonly string[])[];
  /** Where a part of the name begins that is said alone: behind a colon or a dash. */
  readonly parts: readonly (readonly string[])[];
  /** Words of what it belongs to: its show, its target, its creator. */
  readonly around: readonly string[];
  readonly year: number | null;
}

interface Likeness {
  /** How much of what was said is found, 0 to 1. */
  readonly said: number;
  /** How much of the name was said, 0 to 1. */
  readonly name: number;
  /** How much of what was said is found in its own name, 0 to 1. */
  readonly own: number;
  /** Both together, with the order. */
  readonly all: number;
  /** A telling word is found in another spelling alone. */
  readonly isGuessed: boolean;
}

/** Remembers what it has compared: the same words come again in every candidate of a search. */
export class Comparison {
  readonly #said: readonly SpokenPart[];
  readonly #known = new Map<string, number>();
  readonly #compared = new Map<ComparedName, Likeness>();

  constructor(said: readonly SpokenPart[]) {
    this.#said = said;
  }

  of(compared: ComparedName): Likeness {
    const known = this.#compared.get(compared);
    if (known !== undefined) return known;
    let best: Likeness = nothing;
    for (const name of compared.names) {
      const found = this.#ofName(name, compared);
      if (found.all > best.all) best = found;
    }
    this.#compared.set(compared, best);
    return best;
  }

  #ofName(name: readonly string[], { parts, around, year }: ComparedName): Likeness {
    const inName = this.#align(name);
    let weight = 0;
    let found = 0;
    let own = 0;
    let isGuessed = false;
    for (const [at, { term, weight: tells, isHint }] of this.#said.entries()) {
      const here = inName.said[at] ?? 0;
      const there = here >= 0.95 ? 0 : this.#among(term, around, at);
      const isYear = year !== null && String(year) === term;
      // A word around a name tells as much as any other where the name has it.
      const like = Math.max(here, there * 0.98, isYear ? 1 : 0);
      if (tells === 1 && isOtherSpelling(term, like, [...name, ...around])) isGuessed = true;
      const counts = tells === 1 ? 1 : like > 0.9 ? Math.max(tells, isHint ? 0.5 : 0) : tells * 0.3;
      weight += counts;
      found += counts * like;
      own += counts * here;
    }
    if (weight === 0) return nothing;
    const whole = shareOf(name, inName.name);
    // What stands behind a colon names a work better than what stands before it, which a series shares.
    const ofParts = parts.map((part, at) => (at === 0 ? 0.8 : 0.92) * shareOf(part, this.#align(part).name));
    const covered = Math.max(whole, ...ofParts.map((share) => share + 0.05 * whole));
    const said = found / weight;
    const all = said * (0.5 + 0.46 * covered + 0.04 * inName.order);
    return { said, name: covered, own: own / weight, all, isGuessed };
  }

  #among(term: string, words: readonly string[], at: number): number {
    let best = 0;
    for (const [place, word] of words.entries()) {
      const like = this.#like(term, word);
      if (like > best) best = like;
      if (best === 1) return 1;
      const next = words[place + 1];
      if (next !== undefined && term === word + next) return 0.97;
      if (this.#said[at + 1] !== undefined && word === term + this.#said[at + 1]?.term)
        best = Math.max(best, 0.97);
      const before = this.#said[at - 1];
      if (before !== undefined && word === before.term + term) best = Math.max(best, 0.97);
    }
    const mayBeInitials = best === 0 && [...term].length <= words.length && /^\p{L}{2,6}\d?$/u.test(term);
    if (mayBeInitials && initialsOf(words).includes(term)) return 0.9;
    return best;
  }

  /** Each word of the one side with its like on the other, in order where that is possible. */
  #align(name: readonly string[]): { said: number[]; name: number[]; order: number } {
    const said = this.#said.map(() => 0);
    const found = name.map(() => 0);
    const places = this.#said.map(() => -1);
    const take = (at: number, place: number, like: number) => {
      said[at] = Math.max(said[at] ?? 0, like);
      found[place] = Math.max(found[place] ?? 0, like);
      if ((places[at] ?? -1) < 0) places[at] = place;
    };
    // Same words first, so that a like one doesn't take their place.
    let expected = 0;
    for (const [at, { term }] of this.#said.entries()) {
      const place = placeOf(name, term, expected, found);
      if (place < 0) continue;
      take(at, place, 1);
      expected = place + 1;
    }
    for (const [at, { term }] of this.#said.entries()) {
      if (said[at] === 1) continue;
      this.#joined(at, term, name, found, take);
      if ((said[at] ?? 0) > 0) continue;
      let best = -1;
      let most = 0;
      for (const [place, word] of name.entries()) {
        if ((found[place] ?? 0) > 0) continue;
        const like = this.#like(term, word, at === this.#said.length - 1);
        if (like > most) [best, most] = [place, like];
      }
      if (best >= 0) take(at, best, most);
    }
    return { said, name: found, order: inOrder(places) };
  }

  /** Words that are written together on one side and apart on the other, and initials of several. */
  #joined(
    at: number,
    term: string,
    name: readonly string[],
    found: readonly number[],
    take: (at: number, place: number, like: number) => void,
  ): void {
    const next = this.#said[at + 1]?.term;
    for (const [place, word] of name.entries()) {
      if ((found[place] ?? 0) === 1) continue;
      if (next !== undefined && word === term + next) {
        take(at, place, 0.98);
        take(at + 1, place, 0.98);
        return;
      }
      for (let length = 2; length <= 4 && place + length <= name.length; length += 1) {
        if (name.slice(place, place + length).join('') === term) {
          for (let more = 0; more < length; more += 1) take(at, place + more, 0.98);
          return;
        }
      }
    }
    // Each word gives one letter at most.
    const fewest = [...term].length;
    if (fewest > name.length || !/^[\p{L}]{2,8}$/u.test(term)) return;
    for (const [place] of name.entries()) {
      for (let length = fewest; length <= 9 && place + length <= name.length; length += 1) {
        const run = name.slice(place, place + length);
        if (!initialsOf(run).includes(term)) continue;
        for (let more = 0; more < length; more += 1) take(at, place + more, byInitials);
        return;
      }
    }
  }

  #like(term: string, word: string, isLast = false): number {
    if (term === word) return 1;
    const key = `${isLast ? '…' : ''}${term} ${word}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const begins = word.startsWith(term) && !/^\d/.test(term);
    const begun =
      begins && (term.length >= 3 || (isLast && term.length >= 1))
        ? (isLast ? 0.62 : 0.5) + (0.35 * term.length) / word.length
        : 0;
    const like = Math.max(begun, likeness(term, word));
    this.#known.set(key, like);
    return like;
  }
}

const nothing: Likeness = { said: 0, name: 0, own: 0, all: 0, isGuessed: false };
/** As likely as a word is that stands for others by their first letters. */
const byInitials = 0.88;

/** Found, and neither as it was said, nor as a beginning, a plural, initials or words written together. */
function isOtherSpelling(term: string, like: number, words: readonly string[]): boolean {
  return like > 0 && like < 0.93 && like !== byInitials && !words.some((word) => word.startsWith(term));
}

function placeOf(name: readonly string[], term: string, from: number, found: readonly number[]): number {
  const isFree = (word: string, place: number) => word === term && found[place] === 0;
  const behind = name.findIndex((word, place) => place >= from && isFree(word, place));
  return behind >= 0 ? behind : name.findIndex(isFree);
}

function shareOf(name: readonly string[], found: readonly number[]): number {
  let weight = 0;
  let share = 0;
  for (const [place, word] of name.entries()) {
    const tells = isArticle(word) ? 0.05 : isSmallWord(word) ? 0.2 : 1;
    weight += tells;
    share += tells * (found[place] ?? 0);
  }
  return weight === 0 ? 0 : share / weight;
}

/** The share of neighbours that stand in the order of the name; 1 where there are none. */
function inOrder(places: readonly number[]): number {
  const found = places.filter((place) => place >= 0);
  if (found.length < 2) return 1;
  const right = found.slice(1).filter((place, at) => place >= (found[at] ?? 0)).length;
  return right / (found.length - 1);
}
