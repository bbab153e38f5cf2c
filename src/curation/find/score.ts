import { isKind, isSetKind, kinds } from '../../model/kinds.ts';
import { isFiller, kindsMeantBy, type Numbered, type Way } from './query.ts';
import { otherTermsOf, termsOf } from './terms.ts';
import type { Hit } from './titles.ts';

/** A row with the names of what it belongs to. */
export interface Entry extends Omit<Hit, 'likeness' | 'target'> {
  readonly at: number;
  readonly targets: readonly NonNullable<Hit['target']>[];
}

/** A word of a query, with what names may have for it (1: the same; less: like it), and how much it tells. */
export interface AskedWord {
  readonly text: string;
  readonly alternatives: ReadonlyMap<string, number>;
  /** Names that have it. */
  readonly count: number;
  readonly weight: number;
}

export interface Scored {
  readonly entry: Entry;
  readonly score: number;
  /** From 1 for exactly what was asked. */
  readonly likeness: number;
}

/** A name in words, and whether an asked word stands for some of them. */
class Spoken {
  readonly terms: readonly string[];
  readonly #name: string;
  readonly #joined: string;
  #others: ReadonlyMap<string, readonly string[]> | null = null;

  constructor(name: string) {
    this.#name = name;
    this.terms = termsOf(name);
    this.#joined = this.terms.join('');
  }

  /** Those of its words that a term says: itself, or more where it is an abbreviation. */
  saidBy(term: string): readonly string[] | null {
    if (this.terms.includes(term)) return [term];
    // Most terms are no initials and no joined words: what those could be is worked out for few names.
    const first = term[0] ?? '';
    const mayBe =
      this.#joined.includes(term) || (term.length < 8 && this.terms.some((word) => word.startsWith(first)));
    if (!mayBe && /^[\x20-\x7e]*$/.test(this.#joined)) return null;
    this.#others ??= otherTermsOf(this.#name);
    return this.#others.get(term) ?? null;
  }
}

/**
 * How well each entry is what a way says; the names of what several belong to are taken apart once.
 * @param numbered rows of what was asked for by its number
 */
export function scoreAll(
  entries: readonly Entry[],
  way: Way,
  words: readonly AskedWord[],
  numbered: ReadonlySet<number> = new Set(),
): Scored[] {
  const spoken = new Map<string, Spoken>();
  const speak = (name: string | null): Spoken => {
    const known = spoken.get(name ?? '') ?? new Spoken(name ?? '');
    spoken.set(name ?? '', known);
    return known;
  };
  return entries.map((entry) => ({
    entry,
    ...scoreOf(entry, way, words, numbered.has(entry.at), speak),
  }));
}

function scoreOf(
  entry: Entry,
  way: Way,
  words: readonly AskedWord[],
  isNumbered: boolean,
  speak: (name: string | null) => Spoken,
) {
  const { kind, name, year, show, targets, creator } = entry;
  const isSet = isSetKind(kind);
  const isPart = isSet || kind === 'episode' || kind === 'season';
  const own = speak(name);
  const names = [show?.name, creator, ...targets.map((target) => target.name)];
  const around = names.filter((one) => typeof one === 'string').map(speak);

  const used = new Set<string>();
  let [asked, met, hint] = [0, 0, 0];
  for (const { text, alternatives, weight } of words) {
    const meant = kindsMeantBy(text);
    let match = text === String(year) ? 1 : 0;
    for (const [term, alike] of alternatives) {
      const inName = own.saidBy(term);
      for (const word of inName ?? []) used.add(word);
      if (inName !== null) match = Math.max(match, alike);
      else if (around.length > 0 && alike > match) {
        const inOthers = around.flatMap((name) => name.saidBy(term) ?? []);
        if (way.sets) for (const word of inOthers) used.add(word);
        if (inOthers.length > 0) match = Math.max(match, alike * (isSet ? 1 : 0.9));
      }
    }
    if (meant?.has(kind) === true) hint = 0.12;
    // A word for another kind speaks against this one, unless it stands in the name.
    if (meant !== undefined && match === 0) {
      if (!meant.has(kind)) hint = Math.min(hint, -0.15);
      continue;
    }
    asked += weight;
    met += weight * match;
  }

  const coverage = asked === 0 ? Number(way.sets || way.number !== null) : met / asked;
  const covered = shareOf(own.terms, used);
  let fullness = isPart && covered < 1 ? 0.8 * covered : covered;
  // Of a Set the work is said, and of a numbered part nothing at all.
  if (way.sets && isSet) fullness = Math.max(fullness, ...around.map(({ terms }) => shareOf(terms, used)));
  if (asked === 0 || (way.number !== null && isNumbered)) fullness = 1;
  let likeness = coverage ** 1.5 * (0.6 + 0.4 * fullness);
  if (way.number !== null && !isNumbered && !isInSeason(entry, way.number, covered)) likeness *= 0.35;
  if (way.sets) likeness *= !isSet ? 0.4 : isBy(way.creator, creator) ? 1 : 0.3;
  if (targets.length > 1) likeness *= 0.95;
  return { likeness: Math.min(1, likeness), score: likeness + hint + priorOf(kind) };
}

/** The share of a name's telling words that are used. */
function shareOf(terms: readonly string[], used: ReadonlySet<string>): number {
  const telling = terms.filter((term) => !isFiller(term));
  const counted = telling.length > 0 ? telling : terms;
  return counted.filter((term) => used.has(term)).length / Math.max(1, counted.length);
}

/** "Mad Men season 7 Waterloo": the season is said of an episode that is named. */
function isInSeason(entry: Entry, { season, episode }: Numbered, covered: number): boolean {
  return episode === null && entry.kind === 'episode' && entry.season === season && covered > 0;
}

function isBy(wanted: readonly string[], creator: string | null): boolean {
  return wanted.length === 0 || termsOf(creator ?? '').join('') === wanted.join('');
}

/** Of two that are called alike, the one that people ask for more often. */
function priorOf(kind: Hit['kind']): number {
  if (isKind(kind)) return kinds[kind].asked;
  return kind === 'creator' ? 0.02 : -0.08;
}

/** The likelier one first; parts in their order, then what changed last. */
export function byScore(one: Scored, other: Scored): number {
  const [first, second] = [one.entry, other.entry];
  return (
    other.score - one.score ||
    (first.season ?? 0) - (second.season ?? 0) ||
    (first.episode ?? 0) - (second.episode ?? 0) ||
    (second.updated ?? '').localeCompare(first.updated ?? '') ||
    (first.name?.length ?? 0) - (second.name?.length ?? 0) ||
    first.at - second.at
  );
}
