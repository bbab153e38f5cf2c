import type { SeedShow } from '../types.ts';

export const chernobyl: SeedShow = {
  title: 'Chernobyl',
  overview:
    'The explosion at the Chernobyl nuclear power plant in April 1986, and the people who had to deal with it.',
  tagline: 'What is the cost of lies?',
  status: 'ended',
  networks: ['HBO', 'Sky Atlantic'],
  companies: [],
  people: ['Craig Mazin', 'Johan Renck', 'Jared Harris', 'Stellan Skarsgård', 'Emily Watson'],
  categories: ['Drama', 'History', 'Based on a True Story', 'Cold War', 'Miniseries'],
  seasons: [
    {
      number: 1,
      title: 'Season 1',
      airDate: '2019-05-06',
      episodes: [
        [1, '1:23:45', '2019-05-06'],
        [2, 'Please Remain Calm', '2019-05-13'],
        [3, 'Open Wide, O Earth', '2019-05-20'],
        [4, 'The Happiness of All Mankind', '2019-05-27'],
        [5, 'Vichnaya Pamyat', '2019-06-03'],
      ],
    },
  ],
};
