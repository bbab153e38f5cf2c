import type { AnySet } from '../catalogue/records/kinds.ts';
import { type JsonRecord, listAt, recordAt } from '../catalogue/records/members.ts';

// A Show Set's record is handed on as the service showed it. It may be long, so it can be shown without its episodes,
// or with those of one season.

/** A Show Set's record with the episodes of each season only counted, and how many that are. */
export function withEpisodesCounted(set: AnySet): {
  readonly record: JsonRecord;
  readonly episodes: number;
  /** The number of the first season that has any; null where none has one. */
  readonly first: number | null;
} {
  const { show: _, ...facts } = set;
  const counted = seasonsOf(set).map((season) => {
    const { episodes: __, ...rest } = season;
    return { number: numberOf(season), count: listAt(season, 'episodes').length, rest };
  });
  const filled = counted.filter(({ count }) => count > 0);
  const seasons = counted.map(({ rest, count }) => ({ ...rest, episodeCount: count }));
  return {
    record: { ...facts, show: { ...showOf(set), seasons } },
    episodes: filled.reduce((sum, { count }) => sum + count, 0),
    first: filled.find(({ number }) => number !== null)?.number ?? null,
  };
}

/**
 * A Show Set's record with one season and its episodes. Two entries of one number are one season, so that no episode
 * is lost.
 * @returns null where the Set lists no season of this number
 */
export function withOneSeason(set: AnySet, number: number): JsonRecord | null {
  const { show: _, ...facts } = set;
  const { seasons: __, ...show } = showOf(set);
  const found = seasonsOf(set).filter((season) => numberOf(season) === number);
  if (found.length === 0) return null;
  const season = { ...found[0], episodes: found.flatMap((one) => listAt(one, 'episodes')) };
  return { ...facts, show, season };
}

/** The numbers of the seasons that a Show Set lists, in its order. */
export function seasonNumbersIn(set: AnySet): (number | null)[] {
  return seasonsOf(set).map(numberOf);
}

function showOf(set: AnySet): JsonRecord {
  return recordAt(set, 'show');
}

function seasonsOf(set: AnySet): JsonRecord[] {
  return listAt(showOf(set), 'seasons');
}

function numberOf({ seasonNumber }: JsonRecord): number | null {
  return typeof seasonNumber === 'number' ? seasonNumber : null;
}
