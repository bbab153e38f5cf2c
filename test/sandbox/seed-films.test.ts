import { describe, expect, it } from 'vitest';
import { collections, movies } from './seed-rows.ts';

const decadeCollections = collections.filter(({ title }) => /^Films of the \d{4}s$/.test(title));

/**
 * What is known of the real collections, written down apart from the data: the year of each film, in the
 * order of release.
 */
const known: Record<string, readonly number[]> = {
  'The Lord of the Rings': [2001, 2002, 2003],
  'The Hobbit': [2012, 2013, 2014],
  'Star Wars': [1977, 1980, 1983, 1999, 2002, 2005, 2015, 2017, 2019],
  'Harry Potter': [2001, 2002, 2004, 2005, 2007, 2009, 2010, 2011],
  'Back to the Future': [1985, 1989, 1990],
  'Indiana Jones': [1981, 1984, 1989, 2008, 2023],
  'Jurassic Park': [1993, 1997, 2001],
  'Jurassic World': [2015, 2018, 2022],
  'The Matrix': [1999, 2003, 2003, 2021],
  Alien: [1979, 1986, 1992, 1997],
  'Mad Max': [1979, 1981, 1985, 2015, 2024],
  'The Dark Knight Trilogy': [2005, 2008, 2012],
  Bourne: [2002, 2004, 2007, 2012, 2016],
  'The Godfather': [1972, 1974, 1990],
  'Toy Story': [1995, 1999, 2010, 2019],
  'How to Train Your Dragon': [2010, 2014, 2019],
  'Rebuild of Evangelion': [2007, 2009, 2012, 2021],
  'The Before Trilogy': [1995, 2004, 2013],
  'Three Colours': [1993, 1994, 1994],
  'The Apu Trilogy': [1955, 1956, 1959],
  'Dollars Trilogy': [1964, 1965, 1966],
};

const isFictional = ({ overview }: { readonly overview: string }) => overview.includes('fictional');
const realMovies = movies.filter((movie) => !isFictional(movie));
const fictionalMovies = movies.filter(isFictional);
const realCollections = collections.filter(({ overview }) => !overview.startsWith('A fictional'));

const filmsOf = (title: string) => collections.find((collection) => collection.title === title)?.movies ?? [];
const repeated = (values: readonly string[]) =>
  values.filter((value, index) => values.indexOf(value) !== index);

describe('the real films', () => {
  it('are more than a hundred, of nine decades, each with a date, a runtime and a collection', () => {
    expect(realMovies.length).toBeGreaterThanOrEqual(105);
    const decades = new Set(realMovies.flatMap((movie) => movie.release_date?.slice(0, 3) ?? []));
    expect(decades.size).toBeGreaterThanOrEqual(9);
    for (const { title, ...facts } of realMovies) {
      expect(
        [facts.release_date, facts.runtime_minutes, facts.collection_id, facts.tagline],
        title,
      ).not.toContain(null);
    }
  });

  it('belong to the collections that are known, each complete and in the order of release', () => {
    const real = realCollections.filter((collection) => !decadeCollections.includes(collection));
    const years = real.map(({ title }) => [
      title,
      filmsOf(title).map(({ release_date }) => Number(release_date?.slice(0, 4))),
    ]);
    expect(Object.fromEntries(years)).toEqual(known);
    expect(real.length).toBeGreaterThanOrEqual(13);
  });

  it('or else to their decade', () => {
    for (const { title } of decadeCollections) {
      const films = filmsOf(title);
      expect(films.length, title).toBeGreaterThan(0);
      for (const { release_date } of films) expect(`Films of the ${release_date?.slice(0, 3)}0s`).toBe(title);
    }
  });

  it('are released, no earlier than films are and no later than today, and of bearable length', () => {
    const today = new Date().toISOString().slice(0, 10);
    for (const { title, status, release_date, runtime_minutes } of realMovies) {
      expect(status, title).toBe('released');
      if (release_date !== null)
        expect(release_date > '1895-12-28' && release_date <= today, title).toBe(true);
      if (runtime_minutes !== null) expect(runtime_minutes > 40 && runtime_minutes < 250, title).toBe(true);
    }
  });

  it('were filmed for IMAX only where that is known', () => {
    expect(realMovies.filter((movie) => movie.filmed_for_imax).map(({ title }) => title)).toEqual([
      'Star Wars: The Force Awakens',
      'The Dark Knight',
      'The Dark Knight Rises',
      'Interstellar',
      'Dunkirk',
      'Tenet',
      'Dune',
      'Top Gun: Maverick',
      'Oppenheimer',
    ]);
  });
});

describe('the collections', () => {
  it('hold their films in the order of release', () => {
    for (const collection of realCollections) {
      const dates = filmsOf(collection.title).map(({ release_date }) => `${release_date}`);
      expect(dates, collection.title).toEqual([...dates].sort());
      // Two films of one decade may open on one day.
      if (!decadeCollections.includes(collection)) expect(repeated(dates), collection.title).toEqual([]);
    }
  });
});

describe('the fictional films', () => {
  it('say that they are fictional', () => {
    for (const { title, overview } of fictionalMovies) {
      expect(overview, title).toMatch(/fictional (film|serial), invented for this catalogue/);
    }
  });

  it('make collections of no film, of one, of films without a date, and of sixty', () => {
    const fictional = collections.filter(({ overview }) => overview.startsWith('A fictional'));
    expect(fictional.map(({ title }) => [title, filmsOf(title).length])).toEqual([
      ['The Unfilmed Cycle', 0],
      ['A Collection of One', 1],
      ['The Undated Twins', 2],
      ['Films That Nobody Made', 31],
      ['The Harbour Lights of Nowhere-on-Sea', 60],
    ]);
    expect(filmsOf('The Undated Twins').map(({ release_date }) => release_date)).toEqual([null, null]);
  });

  it('lack what a film may lack, and share a title', () => {
    expect(
      fictionalMovies.some(
        ({ tagline, release_date, runtime_minutes }) =>
          tagline === null && release_date === null && runtime_minutes === null,
      ),
    ).toBe(true);
    expect(repeated(fictionalMovies.map(({ title }) => title))).toEqual(['A Lighthouse for Nobody']);
    expect(fictionalMovies.some(({ status }) => status !== 'released')).toBe(true);
  });

  it('have titles in many scripts, one that no line holds, and markup to escape', () => {
    const titles = fictionalMovies.map(({ title }) => title);
    const scripts = ['Han', 'Hangul', 'Arabic', 'Hebrew', 'Devanagari', 'Thai', 'Greek', 'Cyrillic'];
    for (const script of [...scripts, 'Georgian', 'Armenian', 'Tamil', 'Ethiopic']) {
      const letters = new RegExp(`\\p{Script=${script}}`, 'u');
      expect(
        titles.some((title) => letters.test(title)),
        script,
      ).toBe(true);
    }
    expect(titles.some((title) => title !== title.normalize('NFC'))).toBe(true);
    expect(titles.some((title) => /\p{Extended_Pictographic}/u.test(title))).toBe(true);
    expect(Math.max(...titles.map((title) => title.length))).toBeGreaterThan(255);
    expect(titles.some((title) => /[<>]/.test(title) && /[&"\\]/.test(title))).toBe(true);
  });
});
