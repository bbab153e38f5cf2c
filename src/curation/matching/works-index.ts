import { type TitleBook, titleBook } from './names/titles.ts';
import { titleForms, type TitleForms } from './names/work-title.ts';
import { wordKey } from './names/words.ts';
import type { PlanTargets, Work } from './targets.ts';

/** What names of films, collections, games and the like are looked up in. */
export interface WorksIndex {
  readonly entry: Work;
  readonly works: readonly Work[];
  readonly whole: TitleBook<Work>;
  /** Beginnings of titles, which other works may be called. */
  readonly part: TitleBook<Work>;
}

/**
 * The works of a folder without seasons, a film's or a collection's, to be looked up by title and year.
 * @param alsoCalled other names of the entry
 */
export function indexWorks({ entry, movies }: PlanTargets, alsoCalled: readonly string[]): WorksIndex {
  const works = [entry, ...movies];
  const titles = titleBook(works, ({ title }) => title);
  const own = [...alsoCalled, ...(entry.kind === 'collection' ? [`${entry.title} Collection`] : [])];
  const forms = works.map((work) => ({ work, forms: titleForms(work.title, work === entry ? own : []) }));
  const named = (keys: (forms: TitleForms) => Iterable<string>): TitleBook<Work>['named'] => {
    const byKey = new Map<string, Work[]>();
    for (const each of forms) {
      for (const key of keys(each.forms)) byKey.set(key, [...(byKey.get(key) ?? []), each.work]);
    }
    return (words) => byKey.get(wordKey(words)) ?? [];
  };
  return {
    entry,
    works,
    whole: { ...titles, named: named(({ whole }) => whole) },
    part: { ...titles, named: named(({ part }) => part) },
  };
}

/** The place of a film among its collection's, from 1, in the order of their years; null where years are missing. */
export function placeInOrder(movie: Work, { works }: WorksIndex): number | null {
  const movies = works.filter(({ kind }) => kind === 'movie');
  if (movies.some(({ year }) => year === null)) return null;
  return movies.filter(({ year }) => (year ?? 0) < (movie.year ?? 0)).length + 1;
}
