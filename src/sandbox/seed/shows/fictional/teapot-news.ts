import type { SeedShow } from '../../types.ts';

/** Seasons that are numbered by their year. */
export const teapotNews: SeedShow = {
  title: 'News from the Inside of a Teapot',
  overview:
    'A fictional work for trying out edge cases: the news of a very small place, numbered by the year.',
  tagline: null,
  status: 'ended',
  networks: ['Nowhere-on-Sea Wireless & Picture Service (Imaginary)'],
  companies: ['Nonexistent Pictures'],
  people: ['Ottoline Quackenfrost'],
  categories: ['Satire', 'Edge Cases'],
  seasons: [
    {
      number: 2020,
      title: '2020',
      airDate: '2020-02-29',
      episodes: [
        [1, 'Steam Expected', '2020-02-29'],
        [2, 'Lid Lifted', '2020-08-31'],
      ],
    },
    {
      number: 2021,
      title: '2021',
      airDate: '2021-01-01',
      episodes: [
        [1, 'A Spoon Was Seen', '2021-01-01'],
        [2, 'It Was a Spoon', '2021-12-31'],
      ],
    },
  ],
};
