import { groupedBy } from '../../grouped-by.ts';
import type { Numbers } from '../../model/names/numbers.ts';
import { type TitleBook, type TitleForms, titleBook, titleForms } from '../../model/names/titles.ts';
import { wordKey } from '../../model/names/words.ts';
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
      episodes.filter((one) => one.episode === number && (season === null || one.season === season)),
    episodesOf: (day) => episodes.filter(({ date }) => date === day),
    counted: (number) => inOrder[number - 1] ?? null,
    count: inOrder.length,
    highest: Math.max(0, ...regular.flatMap((season) => season.episodes.map(({ episode }) => episode ?? 0))),
  };
}

/**
 * The episode that a number of three digits or more means, where its first digits are the season. 213: the
 * thirteenth of the second season. Of one season the number stands for itself.
 */
export function episodesBySeasonFirst(number: number, index: ShowIndex): readonly EpisodeTarget[] {
  if (number < 100 || index.regular.length < 2) return [];
  return index.episodesNumbered(Math.floor(number / 100), number % 100);
}

/** The episodes of these numbers, each once. */
export function episodesOf(codes: readonly Numbers[], index: ShowIndex): EpisodeTarget[] {
  const found = codes.flatMap(({ season, episodes }) =>
    episodes.flatMap((number) => index.episodesNumbered(season, number)),
  );
  return [...new Set(found)];
}

/** The works of a plan that has no seasons (films, collections, games), by their titles. */
export interface WorksIndex {
  readonly entry: WorkTarget;
  readonly works: readonly WorkTarget[];
  readonly whole: TitleBook<WorkTarget>;
  /** Beginnings of titles, which other works may be called. */
  readonly part: TitleBook<WorkTarget>;
}

/**
 * The works of a folder without seasons, a film's or a collection's, to be looked up by title and year.
 * @param alsoCalled other names of the entry
 */
export function indexWorks({ work }: ReadWork, alsoCalled: readonly string[]): WorksIndex {
  const entry = work.target;
  const works = [entry, ...work.films];
  const titles = titleBook(works, ({ title }) => title);
  const own = [...alsoCalled, ...(entry.kind === 'collection' ? [`${entry.title} Collection`] : [])];
  const forms = works.map((one) => ({ one, forms: titleForms(one.title, one === entry ? own : []) }));
  const named = (keys: (forms: TitleForms) => Iterable<string>): TitleBook<WorkTarget>['named'] => {
    const all = forms.flatMap((each) => [...keys(each.forms)].map((key) => ({ key, one: each.one })));
    const byKey = groupedBy(all, ({ key }) => key);
    return (words) => (byKey.get(wordKey(words)) ?? []).map(({ one }) => one);
  };
  return {
    entry,
    works,
    whole: { ...titles, named: named(({ whole }) => whole) },
    part: { ...titles, named: named(({ part }) => part) },
  };
}

/** The place of a film among its collection's, from 1, in the order of their years; null where years are missing. */
export function placeInOrder(movie: WorkTarget, { works }: WorksIndex): number | null {
  const movies = works.filter(({ kind }) => kind === 'movie');
  if (movies.some(({ year }) => year === null)) return null;
  return movies.filter(({ year }) => (year ?? 0) < (movie.year ?? 0)).length + 1;
}
