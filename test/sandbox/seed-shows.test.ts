import { describe, expect, it } from 'vitest';
import { categories, people, shows } from './seed-rows.ts';

type Show = (typeof shows)[number];

/**
 * What is known of the real shows, written down apart from the data: for each season its number, how many
 * episodes it has, and the title of its last one.
 */
const known: Record<string, readonly (readonly [season: number, episodes: number, finale: string])[]> = {
  'Breaking Bad': [
    [1, 7, 'A No-Rough-Stuff-Type Deal'],
    [2, 13, 'ABQ'],
    [3, 13, 'Full Measure'],
    [4, 13, 'Face Off'],
    [5, 16, 'Felina'],
  ],
  'Better Call Saul': [
    [1, 10, 'Marco'],
    [2, 10, 'Klick'],
    [3, 10, 'Lantern'],
    [4, 10, 'Winner'],
    [5, 10, 'Something Unforgivable'],
    [6, 13, 'Saul Gone'],
  ],
  'Game of Thrones': [
    [1, 10, 'Fire and Blood'],
    [2, 10, 'Valar Morghulis'],
    [3, 10, 'Mhysa'],
    [4, 10, 'The Children'],
    [5, 10, "Mother's Mercy"],
    [6, 10, 'The Winds of Winter'],
    [7, 7, 'The Dragon and the Wolf'],
    [8, 6, 'The Iron Throne'],
  ],
  Chernobyl: [[1, 5, 'Vichnaya Pamyat']],
  'Band of Brothers': [[1, 10, 'Points']],
  Firefly: [[1, 11, 'Objects in Space']],
  Fleabag: [
    [1, 6, 'Episode 6'],
    [2, 6, 'Episode 6'],
  ],
  'Fawlty Towers': [
    [1, 6, 'The Germans'],
    [2, 6, 'Basil the Rat'],
  ],
  Sherlock: [
    [0, 1, 'The Abominable Bride'],
    [1, 3, 'The Great Game'],
    [2, 3, 'The Reichenbach Fall'],
    [3, 3, 'His Last Vow'],
    [4, 3, 'The Final Problem'],
  ],
  'The Office': [
    [0, 2, 'Christmas Special: Part 2'],
    [1, 6, 'Judgement'],
    [2, 6, 'Interview'],
  ],
  'Mad Men': [
    [1, 13, 'The Wheel'],
    [2, 13, 'Meditations in an Emergency'],
    [3, 13, 'Shut the Door. Have a Seat.'],
    [4, 13, 'Tomorrowland'],
    [5, 13, 'The Phantom'],
    [6, 13, 'In Care Of'],
    [7, 14, 'Person to Person'],
  ],
  'The Wire': [
    [1, 13, 'Sentencing'],
    [2, 12, 'Port in a Storm'],
    [3, 12, 'Mission Accomplished'],
    [4, 13, 'Final Grades'],
    [5, 10, '-30-'],
  ],
  'The Sopranos': [
    [1, 13, 'I Dream of Jeannie Cusamano'],
    [2, 13, 'Funhouse'],
    [3, 13, 'Army of One'],
    [4, 13, 'Whitecaps'],
    [5, 13, 'All Due Respect'],
    [6, 21, 'Made in America'],
  ],
  'Twin Peaks': [
    [1, 8, 'The Last Evening'],
    [2, 22, 'Beyond Life and Death'],
    [3, 18, 'Part 18'],
  ],
  Dark: [
    [1, 10, 'Alpha and Omega'],
    [2, 8, 'Endings and Beginnings'],
    [3, 8, 'The Paradise'],
  ],
};

/** The day of the week on which a real show was on, by season where it moved; `*` is every other season. */
const usualDay: Record<string, Record<string, string>> = {
  'Breaking Bad': { '*': 'Sun' },
  'Better Call Saul': { '*': 'Mon' },
  'Game of Thrones': { '*': 'Sun' },
  Chernobyl: { '*': 'Mon' },
  'Band of Brothers': { '*': 'Sun' },
  Firefly: { '*': 'Fri' },
  Fleabag: { 1: 'Thu', 2: 'Mon' },
  'Fawlty Towers': { 1: 'Fri', 2: 'Mon' },
  Sherlock: { '*': 'Sun' },
  'The Office': { '*': 'Mon' },
  'Mad Men': { 1: 'Thu', '*': 'Sun' },
  'The Wire': { '*': 'Sun' },
  'The Sopranos': { '*': 'Sun' },
  'Twin Peaks': { 1: 'Thu', 2: 'Sat', 3: 'Sun' },
  Dark: { 1: 'Fri', 2: 'Fri', 3: 'Sat' },
};

/** Every broadcast of a real show on another day than its usual one, each with its reason. */
const otherDays = [
  'Better Call Saul 1x1 Sun', // a premiere after The Walking Dead, the second episode a day later
  'Better Call Saul 5x1 Sun', // likewise
  'Fawlty Towers 2x6 Thu', // postponed by half a year by a strike
  'Sherlock 0x1 Fri', // New Year's Day of 2016
  'Sherlock 3x1 Wed', // New Year's Day of 2014
  'The Office 0x1 Fri', // 26 December 2003
  'The Office 0x2 Sat', // 27 December 2003
  'Twin Peaks 1x1 Sun', // the pilot as a Sunday night film
  'Twin Peaks 1x8 Wed', // the finale
  'Twin Peaks 2x1 Sun', // a premiere of double length
  'Twin Peaks 2x17 Thu', // back after a break, in the old place
  'Twin Peaks 2x18 Thu',
  'Twin Peaks 2x19 Thu',
  'Twin Peaks 2x20 Thu',
  'Twin Peaks 2x21 Mon', // the last two, in June
  'Twin Peaks 2x22 Mon',
];

/** Episodes of real shows that were first shown on the day of the one before; seasons of Dark appeared whole. */
const sameDay = [
  'Better Call Saul 6x2',
  'Band of Brothers 1x2',
  'Mad Men 5x2',
  'Mad Men 6x2',
  'The Sopranos 3x2',
  'Twin Peaks 2x22',
  'Twin Peaks 3x2',
  'Twin Peaks 3x4',
  'Twin Peaks 3x18',
];

const realShows = shows.filter(({ title }) => title in known);
const fictionalShows = shows.filter((show) => !realShows.includes(show));
const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

function episodesOf(list: readonly Show[]) {
  return list.flatMap((show) =>
    show.seasons.flatMap((season) => season.episodes.map((episode) => ({ show, season, episode }))),
  );
}

function showNamed(title: string): Show {
  const found = shows.find((show) => show.title === title);
  if (found === undefined) throw new Error(`no show is called ${title}`);
  return found;
}

function repeated(values: readonly string[]): string[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}

describe('the real shows', () => {
  it('are those that are known, each with all its seasons, episodes and finales', () => {
    const seeded = realShows.map((show) => [
      show.title,
      show.seasons.map((season) => [
        season.season_number,
        season.episodes.length,
        season.episodes.at(-1)?.title,
      ]),
    ]);
    expect(Object.fromEntries(seeded)).toEqual(known);
    expect(realShows).toHaveLength(Object.keys(known).length);
    expect(realShows.length).toBeGreaterThanOrEqual(9);
    expect(episodesOf(realShows).length).toBeGreaterThanOrEqual(450);
  });

  it('number the episodes of a season from 1 without a gap, but for the three that Fox left out', () => {
    const [firefly] = showNamed('Firefly').seasons;
    expect(firefly?.episodes.map((episode) => episode.episode_number)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 14,
    ]);
    for (const { title, seasons } of realShows) {
      if (title === 'Firefly') continue;
      for (const { season_number: number, episodes } of seasons) {
        expect(
          episodes.map((episode) => episode.episode_number),
          `${title}, season ${number}`,
        ).toEqual(episodes.map((_, index) => index + 1));
      }
    }
  });

  it('were broadcast on their usual day of the week, with the exceptions that are known', () => {
    const exceptions = episodesOf(realShows).flatMap(
      ({ show, season, episode: { episode_number: number, air_date } }) => {
        if (air_date === null) return [];
        const day = weekdays[new Date(`${air_date}T00:00:00Z`).getUTCDay()];
        const usual = usualDay[show.title]?.[season.season_number] ?? usualDay[show.title]?.['*'];
        return day === usual ? [] : [`${show.title} ${season.season_number}x${number} ${day}`];
      },
    );
    expect(exceptions.sort()).toEqual([...otherDays].sort());
  });

  it('never go back in time within a season, and seldom show two episodes on one day', () => {
    const together: string[] = [];
    for (const { title, seasons } of realShows) {
      if (title === 'Firefly' || title === 'Dark') continue;
      for (const { season_number: number, episodes } of seasons) {
        for (const [index, { episode_number: episode, air_date }] of episodes.entries()) {
          const before = episodes[index - 1]?.air_date;
          if (air_date === null || before === undefined || before === null) continue;
          expect(air_date >= before, `${title} ${number}x${episode}`).toBe(true);
          if (air_date === before) together.push(`${title} ${number}x${episode}`);
        }
      }
    }
    expect(together.sort()).toEqual([...sameDay].sort());
  });

  it('have Firefly in its intended order, with the dates of the order that Fox chose', () => {
    const broadcast = episodesOf([showNamed('Firefly')])
      .flatMap(({ episode: { title, air_date } }) => (air_date === null ? [] : [{ title, air_date }]))
      .sort((a, b) => a.air_date.localeCompare(b.air_date))
      .map(({ title }) => title);
    expect(broadcast).toEqual([
      'The Train Job',
      'Bushwhacked',
      'Our Mrs. Reynolds',
      'Jaynestown',
      'Out of Gas',
      'Shindig',
      'Safe',
      'Ariel',
      'War Stories',
      'Objects in Space',
      'Serenity',
    ]);
  });

  it('have a date for every season and episode', () => {
    for (const { show, season, episode } of episodesOf(realShows)) {
      expect([season.air_date, episode.air_date], `${show.title}, ${episode.title}`).not.toContain(null);
    }
  });
});

describe('every show', () => {
  it('has the dates of its first and last episode, and episodes that know their place', () => {
    for (const { id, title, seasons, first_air_date, last_air_date } of shows) {
      const dates = seasons.flatMap(({ episodes }) => episodes.flatMap(({ air_date }) => air_date ?? []));
      expect([first_air_date, last_air_date], title).toEqual([dates.sort()[0] ?? null, dates.at(-1) ?? null]);
      for (const { season_number, episodes } of seasons)
        for (const episode of episodes)
          expect([episode.show_id, episode.season_number], episode.title).toEqual([id, season_number]);
    }
  });

  it('has seasons each with the date of its first broadcast', () => {
    for (const { title, seasons } of shows) {
      for (const season of seasons) {
        const dates = season.episodes.flatMap(({ air_date }) => (air_date === null ? [] : [air_date]));
        expect(season.air_date, `${title}, ${season.title}`).toBe(dates.sort()[0] ?? null);
      }
    }
  });
});

describe('the people and categories', () => {
  it('have dates of birth and death in that order', () => {
    for (const { name, birthday, deathday } of people) {
      if (birthday !== null && deathday !== null) expect(birthday < deathday, name).toBe(true);
    }
  });

  it('include the genres and four groups more', () => {
    const groups = [...new Set(categories.map((category) => category.category_group))];
    expect(groups).toEqual(['genres', 'themes', 'formats', 'eras', 'collections']);
  });
});

describe('the fictional shows', () => {
  it('say that they are fictional', () => {
    for (const show of fictionalShows)
      expect(show.overview).toMatch(/^A fictional work for trying out edge cases/);
  });

  it('have one of 62 episodes and one of 40 seasons', () => {
    expect(episodesOf([showNamed('The Sixty-Two Doors of Wexmoor')])).toHaveLength(62);
    expect(
      showNamed('The Sixty-Two Doors of Wexmoor').seasons.map((season) => season.season_number),
    ).not.toContain(0);
    expect(showNamed('Forty Winters in Mossbottom').seasons.map((season) => season.season_number)).toEqual(
      Array.from({ length: 40 }, (_, index) => index + 1),
    );
  });

  it('have specials, an episode 0, two episodes of one number, a gap, and an episode without a date', () => {
    const { seasons, tagline } = showNamed('The Department of Miscounted Parcels');
    expect(tagline).toBeNull();
    expect(seasons.map((season) => season.episodes.map(({ episode_number }) => episode_number))).toEqual([
      [1, 2, 3],
      [0, 1, 2, 3, 4, 4, 5],
      [1, 2, 3, 4, 5, 7, 8],
    ]);
    expect(
      seasons.map((season) => season.episodes.filter(({ air_date }) => air_date === null).length),
    ).toEqual([1, 0, 1]);
    expect(seasons[2]?.episodes[4]?.title).toMatch(/Part 1 & 2$/);
  });

  it('have seasons without episodes, a show with nothing but specials, and one long season', () => {
    const empty = fictionalShows.filter((show) =>
      show.seasons.some((season) => season.episodes.length === 0),
    );
    expect(empty.map((show) => show.seasons.length)).toEqual([2, 1]);
    expect(fictionalShows.some((show) => show.seasons.every((season) => season.season_number === 0))).toBe(
      true,
    );
    const [sea] = showNamed('Captain Teacup and the Sea Without End').seasons;
    expect(sea?.episodes.map(({ episode_number }) => episode_number)).toEqual(
      Array.from({ length: 126 }, (_, index) => index + 1),
    );
    expect(repeated(sea?.episodes.map(({ title }) => title) ?? [])).toEqual([]);
  });

  it('have titles in many scripts, one title in two normal forms, and titles too long for any line', () => {
    const titles = episodesOf([showNamed('The Tower of Mumble · Ο Πύργος · Башня · 塔')]).map(
      ({ episode: { title } }) => title,
    );
    const scripts = ['Greek', 'Cyrillic', 'Arabic', 'Hebrew', 'Hiragana', 'Han', 'Hangul', 'Thai'];
    for (const script of [...scripts, 'Devanagari', 'Tamil', 'Georgian', 'Armenian', 'Ethiopic']) {
      const letters = new RegExp(`\\p{Script=${script}}`, 'u');
      expect(
        titles.some((title) => letters.test(title)),
        script,
      ).toBe(true);
    }
    expect(titles.some((title) => /\p{Extended_Pictographic}/u.test(title))).toBe(true);
    expect(repeated(titles)).toEqual([]);
    expect(repeated(titles.map((title) => title.normalize('NFC')))).toEqual(['Café déjà vu']);
    const longest = Math.max(...episodesOf(fictionalShows).map(({ episode: { title } }) => title.length));
    expect(longest).toBeGreaterThan(255);
  });
});
