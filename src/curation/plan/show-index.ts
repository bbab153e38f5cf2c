import { groupedBy } from '../../grouped-by.ts';
import { type TitleBook, type TitleForms, titleBook, titleForms } from '../../model/names/titles.ts';
import type { EpisodeTarget, SeasonTarget, Target, WorkTarget } from '../../model/target.ts';
import type { Season } from '../../model/work.ts';
import type { ReadWork } from '../read-work.ts';

/** What a show's names are looked up in. */
export interface ShowIndex {
  /** What names name. */
  readonly show: WorkTarget;
  /** What the folder is for: the show, or a season or an episode of it. */
  readonly own: Target;
  readonly forms: TitleForms;
  readonly titles: TitleBook<EpisodeTarget | SeasonTarget>;
  seasonsNumbered(numbers: readonly (number | null)[]): readonly Season[];
  readonly seasonTitles: TitleBook<Season>;
  /** The number of the last one. */
  readonly lastSeason: number | null;
  /** Of one season, or of all. */
  episodesNumbered(season: number | null, number: number): readonly EpisodeTarget[];
  episodesOf(day: string): readonly EpisodeTarget[];
  /** Counted from 1 through all regular seasons, in the catalogue's numbers. */
  counted(number: number): readonly EpisodeTarget[];
}

/**
 * The seasons and episodes of a show, to be looked up by number, title and day.
 * @param alsoCalled other names of the show
 */
export function indexShow({ work, targets }: ReadWork, alsoCalled: readonly string[]): ShowIndex {
  const { target: show, seasons } = work;
  const episodes = seasons.flatMap((season) => season.episodes);
  const byDay = groupedBy(episodes, ({ date }) => date);
  const regular = seasons
    .filter(({ season }) => season !== null && season !== 0)
    .sort((one, other) => (one.season ?? 0) - (other.season ?? 0));
  const inOrder = regular.flatMap((season) =>
    [...season.episodes].sort((one, other) => (one.episode ?? 0) - (other.episode ?? 0)),
  );
  // Where a number is several's, specials are meant least.
  const byNumber = groupedBy(new Set([...inOrder, ...episodes]), ({ episode }) => episode);
  const seasonsNumbered: ShowIndex['seasonsNumbered'] = (numbers) =>
    seasons.filter(({ season }) => season !== null && numbers.includes(season));
  return {
    ...{ show, own: targets[0] ?? show, seasonsNumbered },
    forms: titleForms(show.title, alsoCalled),
    seasonTitles: titleBook(seasons, ({ title }) => title),
    titles: titleBook<EpisodeTarget | SeasonTarget>([...episodes, ...seasons], ({ title }) => title),
    lastSeason: regular.at(-1)?.season ?? null,
    episodesNumbered: (season, number) =>
      (byNumber.get(number) ?? []).filter((one) => season === null || one.season === season),
    episodesOf: (day) => byDay.get(day) ?? [],
    counted: (number) => inOrder.slice(number - 1, number),
  };
}
