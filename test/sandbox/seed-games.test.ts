import { describe, expect, it } from 'vitest';
import { categories, companies, games, relatedGames } from './seed-rows.ts';

type Game = (typeof games)[number];

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

const isFictional = ({ summary }: Game) => summary.includes('fictional');
const realGames = games.filter((game) => !isFictional(game));
const fictionalGames = games.filter(isFictional);

const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);
const missing = (wanted: readonly string[], known: readonly string[]) =>
  wanted.filter((name) => !known.includes(name));
/** The other games that a game is related to. */
const relatedTo = (game: Game) => {
  const related = relatedGames.filter(({ game_id }) => game_id === game.id).map((one) => one.related_id);
  return games.filter(({ id }) => related.includes(id));
};
const makersOf = (game: Game) => [...names(game.developers), ...game.publishers];

describe('the real games', () => {
  it('are more than thirty, each with a date', () => {
    expect(realGames.length).toBeGreaterThanOrEqual(32);
    expect(realGames.filter((game) => game.first_release_date === null)).toEqual([]);
  });

  it('are of several types: originals, remakes, expansions and episodes', () => {
    expect([...new Set(realGames.map((game) => game.game_type))].sort()).toEqual([
      'episode',
      'expansion',
      'original',
      'remake',
    ]);
  });

  it('came out between the first arcade halls and today, expansions after their game', () => {
    const today = new Date().toISOString().slice(0, 10);
    for (const { title, first_release_date } of realGames) {
      if (first_release_date === null) continue;
      expect(first_release_date > '1971-01-01' && first_release_date <= today, title).toBe(true);
    }
    for (const game of realGames.filter(({ game_type }) => game_type === 'expansion')) {
      const [base] = relatedTo(game).filter(({ title }) => game.title.startsWith(title));
      expect(base, game.title).toBeDefined();
      expect(`${base?.first_release_date}` < `${game.first_release_date}`, game.title).toBe(true);
    }
  });

  it('have a remake and its original of one title', () => {
    const pair = realGames.filter(({ title }) => title === "Demon's Souls");
    expect(pair.map(({ game_type, first_release_date }) => [game_type, first_release_date])).toEqual([
      ['original', '2009-02-05'],
      ['remake', '2020-11-12'],
    ]);
    for (const game of pair) {
      expect(relatedTo(game)).toContain(pair.find((other) => other !== game));
    }
  });

  it('were made by companies, nearly all of them seeded, or by one person', () => {
    const seeded = [...names(companies), ...notHeld, ...individuals];
    for (const game of realGames) {
      expect(game.developers.length, game.title).toBeGreaterThan(0);
      expect(missing(makersOf(game), seeded), game.title).toEqual([]);
    }
    expect(missing([...notHeld, ...individuals], realGames.flatMap(makersOf))).toEqual([]);
  });
});

describe('every game', () => {
  it('has its genres among the categories', () => {
    for (const { title, genres } of games) expect(missing(genres, names(categories)), title).toEqual([]);
  });

  it('calls one platform by one abbreviation', () => {
    const platforms = games.flatMap((game) => game.platforms);
    const pairs = new Set(platforms.map(({ name, abbreviation }) => `${name} = ${abbreviation}`));
    expect(pairs.size).toBe(new Set(names(platforms)).size);
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
          game.first_release_date === null &&
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
