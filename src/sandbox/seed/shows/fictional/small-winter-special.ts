import type { SeedShow } from '../../types.ts';

/** Specials, and no other season. */
export const smallWinterSpecial: SeedShow = {
  title: 'One Very Small Winter Special from Nowhere-on-Sea',
  overview: 'A fictional work for trying out edge cases: a show that consists of a single special.',
  tagline: null,
  status: 'ended',
  networks: ['Imaginary Broadcasting Union'],
  companies: ['Nonexistent Pictures'],
  people: ['Barnaby Snorkelwhistle'],
  categories: ['Family', 'Edge Cases'],
  seasons: [
    {
      number: 0,
      title: 'Specials',
      airDate: '2017-12-21',
      episodes: [[1, 'It Snowed a Little', '2017-12-21']],
    },
  ],
};
