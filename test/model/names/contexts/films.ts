import type { MovieRecord } from '../types.ts';
import { collection } from './record.ts';

const movie = (id: number, title: string, releaseDate: string): MovieRecord => ({
  kind: 'movie',
  id,
  title,
  releaseDate,
});

export const bladeRunner2049 = movie(335_984, 'Blade Runner 2049', '2017-10-06');
export const spaceOdyssey = movie(62, '2001: A Space Odyssey', '1968-04-03');
export const nineteenSeventeen = movie(530_915, '1917', '2019-12-25');
/** Fictional. */
export const umbrellas = movie(8101, "Mrs. Quackenfrost's 12 Umbrellas", '2005-09-09');

export const backToTheFuture = collection(264, 'Back to the Future Collection', [
  ['Back to the Future', '1985-07-03'],
  ['Back to the Future Part II', '1989-11-22'],
  ['Back to the Future Part III', '1990-05-25'],
]);

/** Called as its first film is; one film without a date. */
export const madMax = collection(8945, 'Mad Max', [
  ['Mad Max', '1979-04-12'],
  ['Mad Max 2', '1981-12-24'],
  ['Mad Max Beyond Thunderdome', null],
  ['Mad Max: Fury Road', '2015-05-14'],
  ['Furiosa: A Mad Max Saga', '2024-05-23'],
]);

/** Fictional: a film and its remake, titles that begin alike, one film without a date. */
export const puddleSaga = collection(8102, 'The Puddle Saga', [
  ['A Puddle', '1961-03-03'],
  ['Puddle II: Deeper', '1964-10-10'],
  ['Puddle 3', '1970-06-19'],
  ['A Puddle', '2009-05-01'],
  ['Puddle: Origins', '2012-02-02'],
  ['The Unnamed Puddle', null],
]);
