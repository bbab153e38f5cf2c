import { show } from './record.ts';

/** Fictional: a title that looks like a number of an episode, and titles that look like everything else. */
export const carpentryClub = show(7306, '2x4 Carpentry Club', 2016, [
  [
    1,
    'Season 1',
    [
      [1, 'Measure Twice', '2016-04-01'],
      [2, 'Cut Once', '2016-04-08'],
      [3, 'Episode 5', '2016-04-15'],
      [4, 'S02E03', '2016-04-22'],
      [5, 'Season Two', '2016-04-29'],
    ],
  ],
  [
    2,
    'Season 2',
    [
      [1, 'Poster', '2017-04-07'],
      [2, '1080p', '2017-04-14'],
      [3, '2001', '2017-04-21'],
      [4, 'Backdrop', '2017-04-28'],
      [5, 'Specials', '2017-05-05'],
    ],
  ],
]);
