import type { SeedShow } from '../../types.ts';

/** A second season that is announced and has no episodes yet; a status that no list of statuses has. */
export const tomorrowPerhaps: SeedShow = {
  title: 'Tomorrow, Perhaps, in Thimbleton',
  overview:
    'A fictional work for trying out edge cases: a town where everything is announced and little happens.',
  tagline: 'Soon.',
  status: 'delayed by fog',
  networks: ['Pretend Television One'],
  companies: ['Thimble & Gravy Imaginary Productions'],
  people: ['Zibbidy Marmaladium'],
  categories: ['Comedy', 'Edge Cases'],
  seasons: [
    {
      number: 1,
      title: 'Season 1',
      airDate: '2023-09-05',
      episodes: [
        [1, 'The Announcement', '2023-09-05'],
        [2, 'The Announcement of the Announcement', '2023-09-12'],
        [3, 'A Date to Be Confirmed', '2023-09-19'],
      ],
    },
    { number: 2, title: 'Season 2', airDate: null, episodes: [] },
  ],
};
