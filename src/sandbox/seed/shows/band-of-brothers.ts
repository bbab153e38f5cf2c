import type { SeedShow } from '../types.ts';

export const bandOfBrothers: SeedShow = {
  title: 'Band of Brothers',
  overview:
    'Easy Company of the 506th Parachute Infantry Regiment, from its training to the end of the war in Europe.',
  tagline: null,
  status: 'ended',
  networks: ['HBO'],
  companies: [],
  people: ['Steven Spielberg', 'Tom Hanks', 'Damian Lewis', 'Ron Livingston'],
  categories: [
    'Drama',
    'War',
    'History',
    'Based on a Book',
    'Based on a True Story',
    'Second World War',
    'Miniseries',
  ],
  seasons: [
    {
      number: 1,
      title: 'Season 1',
      airDate: '2001-09-09',
      episodes: [
        [1, 'Currahee', '2001-09-09'],
        [2, 'Day of Days', '2001-09-09'],
        [3, 'Carentan', '2001-09-16'],
        [4, 'Replacements', '2001-09-23'],
        [5, 'Crossroads', '2001-09-30'],
        [6, 'Bastogne', '2001-10-07'],
        [7, 'The Breaking Point', '2001-10-14'],
        [8, 'The Last Patrol', '2001-10-21'],
        [9, 'Why We Fight', '2001-10-28'],
        [10, 'Points', '2001-11-04'],
      ],
    },
  ],
};
