import type { SeedShow } from '../types.ts';

/** Titles in English; the seasons appeared whole. */
export const dark: SeedShow = {
  title: 'Dark',
  overview: 'A missing child leads four families of a small German town to a secret that spans generations.',
  tagline: null,
  status: 'ended',
  networks: ['Netflix'],
  companies: [],
  people: ['Baran bo Odar'],
  categories: ['Drama', 'Mystery', 'Science Fiction', 'Time Travel'],
  seasons: [
    {
      number: 1,
      title: 'Season 1',
      airDate: '2017-12-01',
      episodes: [
        [1, 'Secrets', '2017-12-01'],
        [2, 'Lies', '2017-12-01'],
        [3, 'Past and Present', '2017-12-01'],
        [4, 'Double Lives', '2017-12-01'],
        [5, 'Truths', '2017-12-01'],
        [6, 'Sic Mundus Creatus Est', '2017-12-01'],
        [7, 'Crossroads', '2017-12-01'],
        [8, 'As You Sow, so You Shall Reap', '2017-12-01'],
        [9, 'Everything Is Now', '2017-12-01'],
        [10, 'Alpha and Omega', '2017-12-01'],
      ],
    },
    {
      number: 2,
      title: 'Season 2',
      airDate: '2019-06-21',
      episodes: [
        [1, 'Beginnings and Endings', '2019-06-21'],
        [2, 'Dark Matter', '2019-06-21'],
        [3, 'Ghosts', '2019-06-21'],
        [4, 'The Travelers', '2019-06-21'],
        [5, 'Lost and Found', '2019-06-21'],
        [6, 'An Endless Cycle', '2019-06-21'],
        [7, 'The White Devil', '2019-06-21'],
        [8, 'Endings and Beginnings', '2019-06-21'],
      ],
    },
    {
      number: 3,
      title: 'Season 3',
      airDate: '2020-06-27',
      episodes: [
        [1, 'Deja-vu', '2020-06-27'],
        [2, 'The Survivors', '2020-06-27'],
        [3, 'Adam and Eva', '2020-06-27'],
        [4, 'The Origin', '2020-06-27'],
        [5, 'Life and Death', '2020-06-27'],
        [6, 'Light and Shadow', '2020-06-27'],
        [7, 'Between the Time', '2020-06-27'],
        [8, 'The Paradise', '2020-06-27'],
      ],
    },
  ],
};
