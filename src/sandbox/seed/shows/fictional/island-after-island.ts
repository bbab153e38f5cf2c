import type { SeedEpisode, SeedShow } from '../../types.ts';

const qualities = [
  'Singing',
  'Sleeping',
  'Borrowed',
  'Invisible',
  'Upside-Down',
  'Second-Hand',
  'Polite',
  'Underwater',
  'Paper',
  'Forgetful',
  'Square',
  'Left-Handed',
  'Ticklish',
  'Last',
] as const;
const things = [
  'Teapots',
  'Geese',
  'Clocks',
  'Umbrellas',
  'Bagpipes',
  'Librarians',
  'Staircases',
  'Turnips',
  'Mirrors',
] as const;

const firstSunday = Date.UTC(2001, 0, 7);
const week = 7 * 24 * 60 * 60 * 1000;

/** One island for each quality of each thing, weekly, numbered on and on as in a show without seasons. */
const islands: readonly SeedEpisode[] = qualities
  .flatMap((quality) => things.map((thing) => `The Island of ${quality} ${thing}`))
  .map((title, index) => [index + 1, title, new Date(firstSunday + index * week).toISOString().slice(0, 10)]);

export const islandAfterIsland: SeedShow = {
  title: 'Captain Teacup and the Sea Without End',
  overview:
    'A fictional work for trying out edge cases: one long season whose episodes are numbered to the end.',
  tagline: 'And then another island.',
  status: 'ended',
  networks: ['Imaginary Broadcasting Union'],
  companies: ['Nonexistent Pictures'],
  people: ['Barnaby Snorkelwhistle'],
  categories: ['Animation', 'Adventure', 'Edge Cases'],
  seasons: [{ number: 1, title: 'Season 1', airDate: '2001-01-07', episodes: islands }],
};
