import { groupedBy } from '../../grouped-by.ts';
import type { Numbers } from '../../model/names/numbers.ts';
import { type TitleBook, type TitleForms, titleBook, titleForms } from '../../model/names/titles.ts';
import type { EpisodeTarget, Target, WorkTarget } from '../../model/target.ts';
import type { Season } from '../../model/work.ts';
import type { ReadWork } from '../read-work.ts';

/** What a show's names are looked up in. */
export interface ShowIndex {
  /** What names name. */
  readonly show: WorkTarget;
  /** What the folder is for: the show, or a season or an episode of it. */
  readonly own: Target;
  readonly forms: TitleForms;
  readonly seasons: readonly Season[];
  /** Those but the specials. */
  readonly regular: readonly Season[];
  readonly titles: TitleBook<EpisodeTarget>;
  readonly seasonTitles: TitleBook<Season>;
  seasonsNumbered(number: number): readonly Season[];
  /** Of one season, or of all. */
  episodesNumbered(season: number | null, number: number): readonly EpisodeTarget[];
  episodesOf(day: string): readonly EpisodeTarget[];
  /** Counted from 1 through all regular seasons, in the catalogue's numbers. */
  counted(number: number): EpisodeTarget | null;
  /** How many there are to count through. */
  readonly count: number;
  /** The highest number of an episode in any regular season. */
  readonly highest: number;
}

/**
 * The seasons and episodes of a show, to be looked up by number, title and day.
 * @param alsoCalled other names of the show
 */
export function indexShow({ work, targets }: ReadWork, alsoCalled: readonly string[]): ShowIndex {
  const { target: show, seasons } = work;
  const episodes = seasons.flatMap((season) => season.episodes);
  // Where a number is several's, specials are meant least.
  const specialsLast = [...episodes].sort(
    (one, other) => Number(one.season === 0) - Number(other.season === 0),
  );
  const byNumber = groupedBy(specialsLast, ({ episode }) => episode);
  const byDay = groupedBy(episodes, ({ date }) => date);
  const regular = seasons.filter(({ season }) => season !== 0);
  const inOrder = regular
    .filter(({ season }) => season !== null)
    .sort((a, b) => (a.season ?? 0) - (b.season ?? 0))
    .flatMap((season) => [...season.episodes].sort((a, b) => (a.episode ?? 0) - (b.episode ?? 0)));
  return {
    show,
    own: targets[0] ?? show,
    forms: titleForms(show.title, alsoCalled),
    seasons,
    regular,
    titles: titleBook(episodes, ({ title }) => title),
    seasonTitles: titleBook(seasons, ({ title }) => title),
    seasonsNumbered: (number) => seasons.filter(({ season }) => season === number),
    episodesNumbered: (season, number) =>
      (byNumber.get(number) ?? []).filter((one) => season === null || one.season === season),
    episodesOf: (day) => byDay.get(day) ?? [],
    counted: (number) => inOrder[number - 1] ?? null,
    count: inOrder.length,
    highest: Math.max(0, ...inOrder.map(({ episode }) => episode ?? 0)),
  };
}

/** The episode that a number of three digits or more means, where its first digits are the season: 213 is S02E13. */
export function episodesBySeasonFirst(number: number, index: ShowIndex): readonly EpisodeTarget[] {
  return number < 100 ? [] : index.episodesNumbered(Math.floor(number / 100), number % 100);
}

/** The episodes of these numbers, each once. */
export function episodesOf(codes: readonly Numbers[], index: ShowIndex): EpisodeTarget[] {
  const found = codes.flatMap(({ season, episodes }) =>
    episodes.flatMap((number) => index.episodesNumbered(season, number)),
  );
  return [...new Set(found)];
}

/** What the files of one folder together tell about numbers that say nothing by themselves. */
export type Counting = 'through' | 'season first' | null;

/**
 * What numbers without a season mean that stand in one folder together: 1 to 62 of a show whose seasons have
 * thirteen are counted through; 101 to 107 and 201 to 213 have the season's number first. Null where several
 * things are possible, or one has a gap.
 */
export function countingOf(all: readonly number[], index: ShowIndex): Counting {
  const numbers = [...new Set(all)].sort((a, b) => a - b);
  const last = numbers.at(-1) ?? 0;
  const isRow = numbers.every((number, at) => number === at + 1);
  if (isRow && last > index.highest && last <= index.count) return 'through';
  if (index.regular.length < 2) return null;
  const joint = numbers.map((number) => episodesBySeasonFirst(number, index));
  const whole = index.regular.filter(({ episodes }) =>
    joint.some(([one]) => one !== undefined && episodes.includes(one)),
  );
  const covered = whole.reduce((sum, { episodes }) => sum + episodes.length, 0);
  const isWhole = whole.length > 1 && joint.every(({ length }) => length === 1);
  return isWhole && covered === numbers.length ? 'season first' : null;
}
