import type { SetOf } from '../catalogue/records/kinds.ts';
import type { JsonRecord } from '../catalogue/records/members.ts';

// A Show Set's record is handed on as the service showed it. It may be long, so it can be shown without its episodes,
// or with those of one season.

type ShowSetRecord = SetOf<'show_set'>;

/** A Show Set's record with the episodes of each season only counted, and how many that are. */
export function withEpisodesCounted({ show, ...facts }: ShowSetRecord): {
  readonly record: JsonRecord;
  readonly episodes: number;
  /** The number of the first season that has any; null where none has one. */
  readonly first: number | null;
} {
  const seasons = (show?.seasons ?? []).map(({ episodes, ...rest }) => ({
    ...rest,
    episodeCount: episodes?.length ?? 0,
  }));
  const filled = seasons.filter(({ episodeCount }) => episodeCount > 0);
  return {
    record: { ...facts, show: { ...show, seasons } },
    episodes: filled.reduce((sum, { episodeCount }) => sum + episodeCount, 0),
    first: filled.find(({ seasonNumber }) => typeof seasonNumber === 'number')?.seasonNumber ?? null,
  };
}

/**
 * A Show Set's record with one season and its episodes. Two entries of one number are one season, so that no episode
 * is lost.
 * @returns null where the Set lists no season of this number
 */
export function withOneSeason({ show, ...facts }: ShowSetRecord, number: number): JsonRecord | null {
  const { seasons = [], ...showFacts } = show ?? {};
  const found = (seasons ?? []).filter((season) => season.seasonNumber === number);
  if (found.length === 0) return null;
  const season = { ...found[0], episodes: found.flatMap((one) => one.episodes ?? []) };
  return { ...facts, show: showFacts, season };
}

/** The numbers of the seasons that a Show Set lists, in its order. */
export function seasonNumbersIn({ show }: ShowSetRecord): (number | null)[] {
  return (show?.seasons ?? []).map(({ seasonNumber }) => seasonNumber ?? null);
}
