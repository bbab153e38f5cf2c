import type { SeedShow } from '../../types.ts';

/** The title of the show that is given 500 posters. */
export const manyPostersShow = 'The Lighthouse That Collected Posters' as const;

export const lighthouse: SeedShow = {
  title: manyPostersShow,
  overview:
    'A fictional work for trying out edge cases: a lighthouse keeper receives a new poster of the same show by every tide.',
  tagline: 'There is always room for one more.',
  status: 'ended',
  networks: ['Imaginary Broadcasting Union'],
  companies: ['Nonexistent Pictures'],
  people: ['Ottoline Quackenfrost', 'Barnaby Snorkelwhistle'],
  categories: ['Comedy', 'Edge Cases'],
  seasons: [
    {
      number: 1,
      title: 'Season 1',
      airDate: '2012-05-01',
      episodes: [
        [1, 'The First Poster', '2012-05-01'],
        [2, 'Another Poster', '2012-05-08'],
        [3, 'No More Walls', '2012-05-15'],
        [4, 'Paste', '2012-05-22'],
      ],
    },
    {
      number: 2,
      title: 'Season 2',
      airDate: '2013-05-07',
      episodes: [
        [1, 'The Ceiling Is a Wall Too', '2013-05-07'],
        [2, 'Five Hundred', '2013-05-14'],
      ],
    },
  ],
};
