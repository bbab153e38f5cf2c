import { slotsOf } from '../../../src/model/kinds.ts';
import type {
  CollectionRecord,
  Context,
  Expectation,
  GameRecord,
  MovieRecord,
  NamedFile,
  Place,
  Reason,
  ShowRecord,
  TargetKind,
} from './types.ts';

interface Match {
  readonly match: Place;
}

/** Names that each stand alone in a folder. */
export function apart(
  naming: string,
  context: Context,
  names: Readonly<Record<string, Expectation>>,
): readonly NamedFile[] {
  return Object.entries(names).map(([path, expected]) => ({ naming, context, path, beside: [], expected }));
}

/** Names that stand in one folder, with others that nothing is expected of. */
export function together(
  naming: string,
  context: Context,
  names: Readonly<Record<string, Expectation>>,
  others: readonly string[] = [],
): readonly NamedFile[] {
  const folder = [...new Set([...Object.keys(names), ...others])];
  return Object.entries(names).map(([path, expected]) => ({
    naming,
    context,
    path,
    beside: folder.filter((other) => other !== path),
    expected,
  }));
}

export function either(...matches: readonly Match[]): Expectation {
  return { ambiguous: matches.map(({ match }) => match) };
}

export function unmatched(reason: Reason): Expectation {
  return { unmatched: reason };
}

/** What surely names artwork of one slot: that place where its kind has the slot, else none at all. */
function inSlotOf(targetKind: TargetKind, targetId: number, slot: string): Expectation {
  const has = slotsOf(targetKind).some((one) => one === slot);
  return has ? { match: { targetKind, targetId, slot } } : unmatched('no_slot');
}

export const ignored: Expectation = { ignored: true };

/** What there is in a show, by the numbers that people know. */
export function partsOf(show: ShowRecord) {
  const seasonOf = (number: number) =>
    one(
      show.seasons.filter(({ seasonNumber }) => seasonNumber === number),
      `season ${number}`,
    );
  return {
    own: ownOf(show),
    ownIn: (slot: string) => inSlotOf('show', show.id, slot),
    seasonIn: (number: number, slot: string) => inSlotOf('season', seasonOf(number).id, slot),
    season: (number: number, slot: 'poster' | 'backdrop' = 'poster'): Match => ({
      match: { targetKind: 'season', targetId: seasonOf(number).id, slot },
    }),
    /** The title tells two episodes of one number apart. */
    card: (season: number, number: number, title?: string): Match => {
      const episodes = seasonOf(season).episodes.filter(
        (episode) => episode.episodeNumber === number && (title === undefined || episode.title === title),
      );
      const { id } = one(episodes, `season ${season}, episode ${number}`);
      return { match: { targetKind: 'episode', targetId: id, slot: 'titlecard' } };
    },
  };
}

/** What there is in a collection: itself and its films, by title, and by year where there are two of a title. */
export function filmsOf(collection: CollectionRecord) {
  return {
    own: ownOf(collection),
    film: (title: string, slot = 'poster', year = ''): Match => {
      const movies = collection.movies.filter(
        (movie) => movie.title === title && (movie.releaseDate ?? '').startsWith(year),
      );
      return { match: { targetKind: 'movie', targetId: one(movies, title).id, slot } };
    },
  };
}

export function ownOf(record: ShowRecord | CollectionRecord | MovieRecord | GameRecord) {
  return (slot: string): Match => ({ match: { targetKind: record.kind, targetId: record.id, slot } });
}

function one<T>(found: readonly T[], what: string): T {
  const [first] = found;
  if (first === undefined || found.length > 1) throw new Error(`There are ${found.length} of ${what}.`);
  return first;
}
