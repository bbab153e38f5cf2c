import {
  backToTheFuture,
  bladeRunner2049,
  nineteenSeventeen,
  puddleSaga,
  spaceOdyssey,
  umbrellas,
} from '../contexts/films.ts';
import { apart, either, filmsOf, ownOf, unmatched } from '../expectations.ts';

const bladeRunner = ownOf(bladeRunner2049);
const future = filmsOf(backToTheFuture);
const puddles = filmsOf(puddleSaga);

export const films = [
  ...apart('films', bladeRunner2049, {
    'Blade Runner 2049 (2017).jpg': bladeRunner('poster'),
    'Blade Runner 2049 (2017) - Backdrop.jpg': bladeRunner('backdrop'),
    'Blade Runner (1982).jpg': unmatched('other_work'),
    'poster.webp': bladeRunner('poster'),
    'Blade.Runner.2049.2017.2160p.UHD.jpg': bladeRunner('poster'),
  }),
  ...apart('films', spaceOdyssey, {
    '2001 A Space Odyssey (1968)-poster.png': ownOf(spaceOdyssey)('poster'),
    '2001: A Space Odyssey - Logo.png': ownOf(spaceOdyssey)('logo'),
  }),
  ...apart('films', nineteenSeventeen, {
    '1917 (2019)/logo.png': ownOf(nineteenSeventeen)('logo'),
    '1917 - Backdrop.jpg': ownOf(nineteenSeventeen)('backdrop'),
  }),
  ...apart('films', umbrellas, {
    "Mrs. Quackenfrost's 12 Umbrellas.jpg": ownOf(umbrellas)('poster'),
    '12 Umbrellas.jpg': either(ownOf(umbrellas)('poster')),
  }),
  ...apart('collections', backToTheFuture, {
    'Back to the Future Part II (1989) - Backdrop.jpg': future.film('Back to the Future Part II', 'backdrop'),
    // The first film, or all three.
    'Back to the Future.jpg': either(future.own('poster'), future.film('Back to the Future')),
    'logo.png': future.own('logo'),
    // No film has that title; it can hardly be another than the first.
    'Back to the Future Part I.jpg': either(future.film('Back to the Future')),
  }),
  ...apart('collections', puddleSaga, {
    'A Puddle (2009).jpg': puddles.film('A Puddle', 'poster', '2009'),
    'A Puddle.png': either(
      puddles.film('A Puddle', 'poster', '1961'),
      puddles.film('A Puddle', 'poster', '2009'),
    ),
    'The Puddle Saga - Backdrop.jpg': puddles.own('backdrop'),
    'Puddle 3 (1970)/poster.jpg': puddles.film('Puddle 3'),
    'Puddle - Origins (2012)/fanart.jpg': puddles.film('Puddle: Origins', 'backdrop'),
    'Puddle.jpg': either(
      puddles.film('A Puddle', 'poster', '1961'),
      puddles.film('A Puddle', 'poster', '2009'),
    ),
  }),
];
