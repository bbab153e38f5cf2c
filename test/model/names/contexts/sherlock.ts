import { show } from './record.ts';

/** Seasons that are called series, and a single special. */
export const sherlock = show(19885, 'Sherlock', 2010, [
  [0, 'Specials', [[1, 'The Abominable Bride', '2016-01-01']]],
  [
    1,
    'Series 1',
    [
      [1, 'A Study in Pink', '2010-07-25'],
      [2, 'The Blind Banker', '2010-08-01'],
      [3, 'The Great Game', '2010-08-08'],
    ],
  ],
  [
    2,
    'Series 2',
    [
      [1, 'A Scandal in Belgravia', '2012-01-01'],
      [2, 'The Hounds of Baskerville', '2012-01-08'],
      [3, 'The Reichenbach Fall', '2012-01-15'],
    ],
  ],
  [
    3,
    'Series 3',
    [
      [1, 'The Empty Hearse', '2014-01-01'],
      [2, 'The Sign of Three', '2014-01-05'],
      [3, 'His Last Vow', '2014-01-12'],
    ],
  ],
  [
    4,
    'Series 4',
    [
      [1, 'The Six Thatchers', '2017-01-01'],
      [2, 'The Lying Detective', '2017-01-08'],
      [3, 'The Final Problem', '2017-01-15'],
    ],
  ],
]);
