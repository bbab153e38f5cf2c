import { show } from './record.ts';

/** Fictional: seasons that are years, two episodes of one day, and one without a date. */
export const dailyThimble = show(7307, 'The Daily Thimble', 2020, [
  [
    2020,
    '2020',
    [
      [1, 'Steam Expected', '2020-02-28'],
      [2, 'Lid Lifted', '2020-02-29'],
      [3, 'A Spoon Was Seen', '2020-03-04'],
      [4, 'It Was a Spoon', '2020-08-31'],
    ],
  ],
  [
    2021,
    '2021',
    [
      [1, 'Sugar Rationed', '2021-01-01'],
      [2, 'Sugar Found', '2021-04-03'],
      [3, 'Morning Edition', '2021-06-01'],
      [4, 'Evening Edition', '2021-06-01'],
      [5, 'The Last Drop', '2021-12-31'],
      [6, 'To Be Announced', null],
    ],
  ],
]);
