import { show } from './record.ts';

const days = [
  'Market',
  'Laundry',
  'Council',
  'Fog',
  'Bicycle',
  'Pudding',
  'Goose',
  'Sermon',
  'Election',
  'Parade',
];
const states = [
  'Cancelled',
  'Postponed',
  'Remembered',
  'Stolen',
  'Inspected',
  'Forgiven',
  'Twice',
  'Indoors',
  'by Night',
  'in Reverse',
  'Explained',
  'at Last',
];

const firstTuesday = Date.UTC(2011, 0, 4);
const week = 7 * 24 * 60 * 60 * 1000;

/** Fictional: one season of 120 episodes, weekly, numbered to the end. */
export const puddlewick = show(7305, 'Puddlewick Every Tuesday', 2011, [
  [
    1,
    'Season 1',
    states
      .flatMap((state) => days.map((day) => `The ${day} ${state}`))
      .map((title, index) => [
        index + 1,
        title,
        new Date(firstTuesday + index * week).toISOString().slice(0, 10),
      ]),
  ],
]);
