import { describe, expect, it } from 'vitest';
import { filmCompanies } from '../../src/sandbox/seed/films/index.ts';
import { gameCompanies, games } from '../../src/sandbox/seed/games/index.ts';
import { categories, companies } from '../../src/sandbox/seed/people/index.ts';
import type { SeedGame, SeedGameReference } from '../../src/sandbox/seed/types.ts';

/** Who made or published a real game without a company. */
const individuals = ['ConcernedApe', 'Toby Fox'];

/** Companies that the seed does not hold, since not all is surely known of them that a Company shows. */
const notHeld = [
  'GT Interactive',
  'Konami Computer Entertainment Japan',
  'Maddy Makes Games',
  'Namco Bandai Games',
  'Sierra Studios',
  'Sony Computer Entertainment',
  'Square',
  'Team Ico',
  'ZA/UM',
];

const isFictional = (game: SeedGame) => game.categories.includes('Edge Cases');
const realGames = games.filter((game) => !isFictional(game));
const fictionalGames = games.filter(isFictional);

function isCalendarDate(date: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return false;
  const time = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}

const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);
const repeated = (values: readonly string[]) =>
  values.filter((value, index) => values.indexOf(value) !== index);
const missing = (wanted: readonly string[], known: readonly string[]) =>
  wanted.filter((name) => !known.includes(name));
/** What sets a game apart from all others: a remake may bear its original's title. */
const keyOf = ({ title, firstReleaseDate }: SeedGame) => `${title} ${firstReleaseDate}`;
const titleOf = (reference: SeedGameReference) => (typeof reference === 'string' ? reference : reference[0]);
/** The games that a reference may mean. */
const meant = (reference: SeedGameReference) =>
  games.filter(
    ({ title, firstReleaseDate }) =>
      title === titleOf(reference) && (typeof reference === 'string' || firstReleaseDate === reference[1]),
  );
const makersOf = (game: SeedGame) => [...names(game.developers), ...game.publishers];

describe('the real games', () => {
  it('are more than thirty, each with a date', () => {
    expect(realGames.length).toBeGreaterThanOrEqual(32);
    expect(realGames.filter((game) => game.firstReleaseDate === null)).toEqual([]);
  });

  it('are of several types: originals, remakes, expansions and episodes', () => {
    expect([...new Set(realGames.map((game) => game.gameType))].sort()).toEqual([
      'episode',
      'expansion',
      'original',
      'remake',
    ]);
  });

  it('came out between the first arcade halls and today, expansions after their game', () => {
    const today = new Date().toISOString().slice(0, 10);
    for (const { title, firstReleaseDate } of realGames) {
      if (firstReleaseDate === null) continue;
      expect(firstReleaseDate > '1971-01-01' && firstReleaseDate <= today, title).toBe(true);
    }
    for (const game of realGames.filter(({ gameType }) => gameType === 'expansion')) {
      const [base] = game.relatedGames.filter((one) => game.title.startsWith(titleOf(one))).flatMap(meant);
      expect(base, game.title).toBeDefined();
      expect(`${base?.firstReleaseDate}` < `${game.firstReleaseDate}`, game.title).toBe(true);
    }
  });

  it('have a remake and its original of one title', () => {
    const pair = realGames.filter(({ title }) => title === "Demon's Souls");
    expect(pair.map(({ gameType, firstReleaseDate }) => [gameType, firstReleaseDate])).toEqual([
      ['original', '2009-02-05'],
      ['remake', '2020-11-12'],
    ]);
    for (const game of pair) {
      expect(game.relatedGames.flatMap(meant)).toContain(pair.find((other) => other !== game));
    }
  });

  it('were made by companies, nearly all of them seeded, or by one person', () => {
    const seeded = [...names(gameCompanies), ...notHeld, ...individuals];
    for (const game of realGames) {
      expect(game.developers.length, game.title).toBeGreaterThan(0);
      expect(missing(makersOf(game), seeded), game.title).toEqual([]);
    }
    expect(missing([...notHeld, ...individuals], realGames.flatMap(makersOf))).toEqual([]);
  });
});

describe('every game', () => {
  it('has a title and date of its own, a summary, and a storyline or none', () => {
    expect(repeated(games.map(keyOf))).toEqual([]);
    for (const { title, summary, storyline } of games) {
      expect(title.trim()).not.toBe('');
      expect(title).not.toMatch(/\p{Cc}/u);
      expect(summary, title).toMatch(/[.!?]$/);
      if (storyline !== null) expect(storyline, title).toMatch(/[.!?]$/);
    }
  });

  it('has a real calendar date or none', () => {
    for (const { title, firstReleaseDate } of games) {
      if (firstReleaseDate !== null) expect(isCalendarDate(firstReleaseDate), title).toBe(true);
    }
  });

  it('is related to other seeded games, and belongs to seeded categories, its genres among them', () => {
    for (const game of games) {
      for (const reference of game.relatedGames) {
        expect(meant(reference), `${game.title}: ${reference}`).toHaveLength(1);
        expect(meant(reference)).not.toContain(game);
      }
      expect(missing(game.categories, names(categories)), game.title).toEqual([]);
      expect(missing(game.genres, names(categories)), game.title).toEqual([]);
      if (!isFictional(game)) expect(missing(game.genres, game.categories), game.title).toEqual([]);
    }
  });

  it('names nothing twice', () => {
    for (const game of games) {
      const lists = [
        names(game.developers),
        game.publishers,
        game.engines,
        game.genres,
        names(game.platforms),
        game.relatedGames.map(String),
        game.categories,
      ];
      for (const list of lists) expect(repeated(list), game.title).toEqual([]);
    }
  });

  it('calls one platform by one abbreviation', () => {
    const platforms = games.flatMap((game) => game.platforms);
    const pairs = new Set(platforms.map(({ name, abbreviation }) => `${name} = ${abbreviation}`));
    expect(pairs.size).toBe(new Set(names(platforms)).size);
  });
});

describe('the companies of the games', () => {
  it('have names of their own, among those of the shows and films too', () => {
    expect(repeated(names([...companies, ...filmCompanies, ...gameCompanies]))).toEqual([]);
  });

  it('have owners that are seeded before them, two-letter country codes, and homepages over HTTPS', () => {
    const before = new Set(names([...companies, ...filmCompanies]));
    for (const company of gameCompanies) {
      if (company.parentCompany !== null) expect(before, company.name).toContain(company.parentCompany);
      before.add(company.name);
      for (const code of [company.headquartersCountry, company.originCountry]) {
        if (code !== null) expect(code, company.name).toMatch(/^[A-Z]{2}$/);
      }
      if (company.homepage !== null) expect(new URL(company.homepage).protocol).toBe('https:');
    }
  });

  it('each made or published a real game, or own a company that did', () => {
    const used = new Set([
      ...realGames.flatMap(makersOf),
      ...gameCompanies.map(({ parentCompany }) => parentCompany),
    ]);
    expect(names(gameCompanies).filter((name) => !used.has(name))).toEqual([]);
  });
});

describe('the fictional games', () => {
  it('say that they are fictional, and share no maker with the real ones', () => {
    for (const { title, summary } of fictionalGames) {
      expect(summary, title).toMatch(/^A fictional game, invented for this catalogue/);
    }
    const invented = fictionalGames.flatMap(makersOf);
    expect(realGames.flatMap(makersOf).filter((name) => invented.includes(name))).toEqual([]);
  });

  it('have one of which nothing is known, and one on every platform', () => {
    expect(
      fictionalGames.some(
        (game) =>
          game.storyline === null &&
          game.firstReleaseDate === null &&
          [game.developers, game.publishers, game.engines, game.genres, game.platforms].every(
            (list) => list.length === 0,
          ),
      ),
    ).toBe(true);
    const everyPlatform = new Set(games.flatMap((game) => names(game.platforms))).size;
    expect(Math.max(...fictionalGames.map((game) => game.platforms.length))).toBe(everyPlatform);
  });

  it('have titles in several scripts, one that no line holds, and markup to escape', () => {
    const titles = fictionalGames.map(({ title }) => title);
    for (const script of ['Han', 'Greek', 'Arabic']) {
      const letters = new RegExp(`\\p{Script=${script}}`, 'u');
      expect(
        titles.some((title) => letters.test(title)),
        script,
      ).toBe(true);
    }
    expect(Math.max(...titles.map((title) => title.length))).toBeGreaterThan(200);
    expect(titles.some((title) => /[<>]/.test(title) && /[&"\\]/.test(title))).toBe(true);
  });
});
