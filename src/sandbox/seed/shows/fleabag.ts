import type { SeedShow } from '../types.ts';

export const fleabag: SeedShow = {
  title: 'Fleabag',
  overview: 'A young woman in London gets through grief, family and love, and tells the camera about it.',
  tagline: null,
  status: 'ended',
  networks: ['BBC Three', 'BBC One'],
  companies: [],
  people: ['Phoebe Waller-Bridge', 'Olivia Colman', 'Andrew Scott'],
  categories: ['Comedy', 'Drama', 'Short Season'],
  seasons: [
    {
      number: 1,
      title: 'Series 1',
      airDate: '2016-07-21',
      episodes: [
        [1, 'Episode 1', '2016-07-21'],
        [2, 'Episode 2', '2016-07-28'],
        [3, 'Episode 3', '2016-08-04'],
        [4, 'Episode 4', '2016-08-11'],
        [5, 'Episode 5', '2016-08-18'],
        [6, 'Episode 6', '2016-08-25'],
      ],
    },
    {
      number: 2,
      title: 'Series 2',
      airDate: '2019-03-04',
      episodes: [
        [1, 'Episode 1', '2019-03-04'],
        [2, 'Episode 2', '2019-03-11'],
        [3, 'Episode 3', '2019-03-18'],
        [4, 'Episode 4', '2019-03-25'],
        [5, 'Episode 5', '2019-04-01'],
        [6, 'Episode 6', '2019-04-08'],
      ],
    },
  ],
};
