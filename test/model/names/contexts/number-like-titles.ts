import { numbered, show } from './record.ts';

const seasons = (...counts: readonly number[]) =>
  counts.map((count, index) => [index + 1, `Season ${index + 1}`, numbered(count)] as const);

/** Shows whose titles look like a number or an abbreviation; of their episodes only the numbers are told. */
export const twentyFour = show(1973, '24', 2001, seasons(24, 24, 24, 24, 24, 24, 24, 24));

export const eighteenEightyThree = show(118_357, '1883', 2021, seasons(10));

/** Its first two seasons. */
export const swat = show(71_790, 'S.W.A.T.', 2017, seasons(22, 23));
