import { show } from './record.ts';

/** Fictional: specials, one without a date; an episode 0; two episodes 4; one entry that spans the numbers 5 and 6. */
export const miscountedParcels = show(7301, 'The Department of Miscounted Parcels', 2019, [
  [
    0,
    'Specials',
    [
      [1, 'The Parcel Nobody Ordered', '2018-12-24'],
      [2, 'The Making of a Cardboard Box', null],
      [3, 'Return to Sender', '2020-12-24'],
    ],
  ],
  [
    1,
    'Season 1',
    [
      [0, 'The Parcel Before the Parcel', '2019-03-04'],
      [1, 'One', '2019-03-11'],
      [2, 'Two', '2019-03-18'],
      [3, 'Three', '2019-03-25'],
      [4, 'Four, as Counted by the Day Shift', '2019-04-01'],
      [4, 'Four, as Counted by the Night Shift', '2019-04-08'],
      [5, 'Six, Presumably', '2019-04-15'],
    ],
  ],
  [
    2,
    'Season 2',
    [
      [1, 'Recount', '2020-03-02'],
      [2, 'The Remainder', '2020-03-09'],
      [3, 'Carry the One', '2020-03-16'],
      [4, 'A Rounding Error', '2020-03-23'],
      [5, 'The Great Sorting, Part 1 & 2', '2020-03-30'],
      [7, 'Seven at Last', '2020-04-13'],
      [8, 'Undelivered', null],
    ],
  ],
]);
