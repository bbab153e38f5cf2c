import type { SeedShow } from '../types.ts';

export const sherlock: SeedShow = {
  title: 'Sherlock',
  overview: 'Sherlock Holmes and Doctor Watson solve crimes in the London of today.',
  tagline: null,
  status: 'ended',
  networks: ['BBC One'],
  companies: ['Hartswood Films', 'BBC'],
  people: ['Steven Moffat', 'Mark Gatiss', 'Benedict Cumberbatch', 'Martin Freeman', 'Andrew Scott'],
  categories: ['Crime', 'Drama', 'Mystery', 'Based on a Book', 'Short Season'],
  seasons: [
    {
      number: 0,
      title: 'Specials',
      airDate: '2016-01-01',
      episodes: [[1, 'The Abominable Bride', '2016-01-01']],
    },
    {
      number: 1,
      title: 'Series 1',
      airDate: '2010-07-25',
      episodes: [
        [1, 'A Study in Pink', '2010-07-25'],
        [2, 'The Blind Banker', '2010-08-01'],
        [3, 'The Great Game', '2010-08-08'],
      ],
    },
    {
      number: 2,
      title: 'Series 2',
      airDate: '2012-01-01',
      episodes: [
        [1, 'A Scandal in Belgravia', '2012-01-01'],
        [2, 'The Hounds of Baskerville', '2012-01-08'],
        [3, 'The Reichenbach Fall', '2012-01-15'],
      ],
    },
    {
      number: 3,
      title: 'Series 3',
      airDate: '2014-01-01',
      episodes: [
        [1, 'The Empty Hearse', '2014-01-01'],
        [2, 'The Sign of Three', '2014-01-05'],
        [3, 'His Last Vow', '2014-01-12'],
      ],
    },
    {
      number: 4,
      title: 'Series 4',
      airDate: '2017-01-01',
      episodes: [
        [1, 'The Six Thatchers', '2017-01-01'],
        [2, 'The Lying Detective', '2017-01-08'],
        [3, 'The Final Problem', '2017-01-15'],
      ],
    },
  ],
};
