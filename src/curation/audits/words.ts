import { joinRunsOfLabels } from '../gaps.ts';
import type { AuditFinding, FindingCode } from './audit.ts';

/** Places that are named before the rest is only counted. */
const mostNamed = 30;

/**
 * The labels of places, those that follow one another joined. `S01E03–E05, S02E01`: in the order of the catalogue;
 * the rest of a long list is counted.
 */
export function joinPlaceLabels(labels: readonly string[]): string {
  const joined = joinRunsOfLabels(labels);
  const more = joined.length - mostNamed;
  return more > 0 ? `${joined.slice(0, mostNamed).join(', ')} and ${more} more` : joined.join(', ');
}

/** `1 title card`, `3 title cards`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`}`;
}

const slotWords: Readonly<Record<string, string>> = {
  titlecard: 'title card',
  squareArt: 'square art',
  wideCover: 'wide cover',
  squareCover: 'square cover',
  thumb: 'thumb',
  hero: 'hero picture',
};

/** A slot as people say it. */
export function nounOf(slot: string): string {
  return Object.hasOwn(slotWords, slot) ? (slotWords[slot] ?? slot) : slot;
}

/** A season's heading in an audit, such as "Specials" for the season 0. */
export function seasonWords(season: number | null): string {
  return season === null ? 'Without a season' : season === 0 ? 'Specials' : `Season ${season}`;
}

interface Found {
  readonly season?: number | null;
  readonly slot?: string | null;
  readonly count: number;
  readonly places: readonly string[];
  readonly words: string;
}

/** A finding of an audit, its places joined where they follow one another. */
export function auditFindingOf(
  code: FindingCode,
  { season = null, slot = null, count, places, words }: Found,
): AuditFinding {
  return { code, season, slot, count, places: joinRunsOfLabels(places), words };
}
