import { show } from './record.ts';

/** One season; its first episode is called as a film is, that came three years later. */
export const firefly = show(1437, 'Firefly', 2002, [
  [
    1,
    'Season 1',
    [
      [1, 'Serenity', '2002-12-20'],
      [2, 'The Train Job', '2002-09-20'],
      [3, 'Bushwhacked', '2002-09-27'],
      [4, 'Shindig', '2002-11-01'],
      [5, 'Safe', '2002-11-08'],
      [6, 'Our Mrs. Reynolds', '2002-10-04'],
      [7, 'Jaynestown', '2002-10-18'],
      [8, 'Out of Gas', '2002-10-25'],
      [9, 'Ariel', '2002-11-15'],
      [10, 'War Stories', '2002-12-06'],
      [11, 'Trash', null],
      [12, 'The Message', null],
      [13, 'Heart of Gold', null],
      [14, 'Objects in Space', '2002-12-13'],
    ],
  ],
]);
