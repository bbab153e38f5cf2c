import { show } from './record.ts';

/** Fictional: a colon in the title, apostrophes in those of the episodes, a story in two parts, specials. */
export const saltmarsh = show(7303, 'Saltmarsh: The Long Watch', 2014, [
  [
    0,
    'Specials',
    [
      [1, 'Before the Watch', '2014-01-02'],
      [2, 'A Lantern for Christmas', '2014-12-25'],
      [3, 'Tides and Liars', '2015-12-25'],
      [4, 'The Watch, Watched', '2017-01-05'],
    ],
  ],
  [
    1,
    'Season 1',
    [
      [1, 'Low Water', '2014-02-06'],
      [2, "The Keeper's Daughter", '2014-02-13'],
      [3, "O'Malley's Boat", '2014-02-20'],
      [4, "Don't Wake the Tide", '2014-02-27'],
      [5, 'The Flood, Part 1', '2014-03-06'],
      [6, 'The Flood, Part 2', '2014-03-13'],
    ],
  ],
  [
    2,
    'Season 2',
    [
      [1, 'What the Gulls Said', '2015-02-05'],
      [2, 'Rope', '2015-02-12'],
      [3, 'Rope & Anchor', '2015-02-19'],
      [4, 'Who Lit the Lamp?', '2015-02-26'],
      [5, 'Fog (Again)', '2015-03-05'],
      [6, 'High Water', '2015-03-12'],
    ],
  ],
  [
    3,
    'Season 3',
    [
      [1, 'Dry Land', '2016-02-04'],
      [2, 'Dry Land: Aftermath', '2016-02-11'],
      [3, 'The Empty Net', '2016-02-18'],
      [4, 'Brackish', '2016-02-25'],
      [5, 'One Bell', '2016-03-03'],
      [6, 'Two Bells', '2016-03-10'],
    ],
  ],
]);
