import type { SeedShow } from '../types.ts';

export const fawltyTowers: SeedShow = {
  title: 'Fawlty Towers',
  overview: 'A rude hotel owner in Torquay fights his guests, his staff and his wife.',
  tagline: null,
  status: 'ended',
  networks: ['BBC Two'],
  companies: ['BBC'],
  people: ['John Cleese', 'Andrew Sachs'],
  categories: ['Comedy', 'Sitcom', 'Workplace', 'Short Season'],
  seasons: [
    {
      number: 1,
      title: 'Series 1',
      airDate: '1975-09-19',
      episodes: [
        [1, 'A Touch of Class', '1975-09-19'],
        [2, 'The Builders', '1975-09-26'],
        [3, 'The Wedding Party', '1975-10-03'],
        [4, 'The Hotel Inspectors', '1975-10-10'],
        [5, 'Gourmet Night', '1975-10-17'],
        [6, 'The Germans', '1975-10-24'],
      ],
    },
    {
      number: 2,
      title: 'Series 2',
      airDate: '1979-02-19',
      episodes: [
        [1, 'Communication Problems', '1979-02-19'],
        [2, 'The Psychiatrist', '1979-02-26'],
        [3, 'Waldorf Salad', '1979-03-05'],
        [4, 'The Kipper and the Corpse', '1979-03-12'],
        [5, 'The Anniversary', '1979-03-26'],
        [6, 'Basil the Rat', '1979-10-25'],
      ],
    },
  ],
};
