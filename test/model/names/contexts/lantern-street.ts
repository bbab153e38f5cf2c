import { show } from './record.ts';

const first = [
  'The Missing Wick',
  'Soot',
  'A Ladder Too Many',
  'The Quiet Corner',
  'Half a Candle',
  'Moth Weather',
  'The Gas Bill',
  'Number Nine Again',
  'Glass',
  'The Long Pole',
  'Dusk on Credit',
  'All Lamps Out',
];
const second = [
  'Relit',
  'The New Lamplighter',
  'Oil and Water',
  'Under the Arch',
  'The Counterfeit Moon',
  'Flicker',
  'Seventeen Shadows',
  'The Mayor Is Afraid',
  'A Good Blue Flame',
  'Pins',
  'The Chimney Ballad',
  'Noon at Midnight',
];
const third = [
  'Electric',
  'The Meter Reader',
  'Short Circuit',
  'Fuse',
  'The Old Way',
  'Copper',
  'Strike',
  'The Dark Half',
  'Bulbs',
  'A Spark',
  'The Last Match',
  'Lantern Street',
];

const from = (start: number, titles: readonly string[]) =>
  titles.map((title, index) => [start + index, title, null] as const);

/** Fictional: the numbers go on from season to season, and start at 1 for the specials. */
export const lanternStreet = show(7304, 'Lantern Street Irregulars', 2018, [
  [0, 'Specials', from(1, ['The Lamplighters’ Ball', 'How the Street Was Lit'])],
  [1, 'Season 1', from(1, first)],
  [2, 'Season 2', from(13, second)],
  [3, 'Season 3', from(25, third)],
]);
