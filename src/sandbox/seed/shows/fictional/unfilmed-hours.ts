import type { SeedShow } from '../../types.ts';

/** Planned, and nothing else: no date anywhere, one empty season, nobody who makes or shows it. */
export const unfilmedHours: SeedShow = {
  title: 'The Unfilmed Hours of Zibbidy Marmaladium',
  overview: 'A fictional work for trying out edge cases, of which nothing is known but its title.',
  tagline: null,
  status: 'planned',
  networks: [],
  companies: [],
  people: [],
  categories: [],
  seasons: [{ number: 1, title: 'Season 1', airDate: null, episodes: [] }],
};
