import {
  backToTheFuture,
  bladeRunner2049,
  madMax,
  nineteenSeventeen,
  puddleSaga,
  spaceOdyssey,
  umbrellas,
} from '../contexts/films.ts';
import { apart, either, filmsOf, ignored, ownOf, unmatched } from '../expectations.ts';

const bladeRunner = ownOf(bladeRunner2049);
const odyssey = ownOf(spaceOdyssey);
const war = ownOf(nineteenSeventeen);
const future = filmsOf(backToTheFuture);
const wasteland = filmsOf(madMax);
const puddles = filmsOf(puddleSaga);

export const films = [
  ...apart('films', bladeRunner2049, {
    'Blade Runner 2049.jpg': bladeRunner('poster'),
    'Blade Runner 2049 (2017)/poster.jpg': bladeRunner('poster'),
    'Blade Runner 2049 (2017) {imdb-tt1856101}.jpg': bladeRunner('poster'),
    'blade.runner.2049.2017.jpg': bladeRunner('poster'),
    'Blade Runner 2049 (2017)-fanart.jpg': bladeRunner('backdrop'),
    'Blade Runner 2049 - Logo.png': bladeRunner('logo'),
    'background.png': bladeRunner('backdrop'),
    // A year beside the right one, and half a title with the right one.
    'Blade Runner 2049 (2016).jpg': either(bladeRunner('poster')),
    'Blade Runner (2017).jpg': either(bladeRunner('poster')),
    'S01E01.jpg': unmatched('other_work'),
    'Blade Runner 2049 (2017)/Blade Runner 2049 (2017).mkv': ignored,
  }),
  ...apart('films', spaceOdyssey, {
    '2001 A Space Odyssey (1968).jpg': odyssey('poster'),
    '2001- A Space Odyssey (1968) - Backdrop.jpg': odyssey('backdrop'),
    '2001.jpg': either(odyssey('poster')),
    '2010 The Year We Make Contact (1984).jpg': unmatched('other_work'),
  }),
  ...apart('films', nineteenSeventeen, {
    '1917.jpg': war('poster'),
    '1917 (2019) - Thumb.jpg': war('thumb'),
    '1917 (1970).jpg': unmatched('other_work'),
  }),
  ...apart('films', umbrellas, {
    'Mrs Quackenfrosts 12 Umbrellas (2005).jpg': ownOf(umbrellas)('poster'),
  }),
  ...apart('collections', backToTheFuture, {
    'Back to the Future (1985).png': future.film('Back to the Future'),
    'Back to the Future (1985)/background.jpg': future.film('Back to the Future', 'backdrop'),
    'Back to the Future Part II.jpg': future.film('Back to the Future Part II'),
    'Back to the Future Part 2 (1989).jpg': future.film('Back to the Future Part II'),
    'Back to the Future Part III (1990)/poster.jpg': future.film('Back to the Future Part III'),
    'poster.jpg': future.own('poster'),
    'Back to the Future Collection - Backdrop.jpg': future.own('backdrop'),
    'Back to the Future Collection/logo.png': future.own('logo'),
    'Part III.jpg': either(future.film('Back to the Future Part III')),
    'Toy Story (1995).jpg': unmatched('other_work'),
  }),
  ...apart('collections', puddleSaga, {
    'A Puddle (1961).jpg': puddles.film('A Puddle', 'poster', '1961'),
    'A Puddle (1961)/backdrop.jpg': puddles.film('A Puddle', 'backdrop', '1961'),
    'Puddle II Deeper (1964) - Backdrop.png': puddles.film('Puddle II: Deeper', 'backdrop'),
    'Puddle Origins.jpg': puddles.film('Puddle: Origins'),
    'The Unnamed Puddle.jpg': puddles.film('The Unnamed Puddle'),
    'The Puddle Saga.jpg': puddles.own('poster'),
    'A Puddle/poster.jpg': either(
      puddles.film('A Puddle', 'poster', '1961'),
      puddles.film('A Puddle', 'poster', '2009'),
    ),
    '1970.jpg': either(puddles.film('Puddle 3')),
    'Puddle 4 (1990).jpg': unmatched('no_such_film'),
    // A year that may be a slip: the film is asked about, not the collection.
    'Puddle 3 (1990).jpg': either(puddles.film('Puddle 3')),
  }),
  ...apart('collections', madMax, {
    'Mad Max (1979).jpg': wasteland.film('Mad Max'),
    'Mad Max (1979)/poster.jpg': wasteland.film('Mad Max'),
    'Mad Max/Mad Max 2 (1981).jpg': wasteland.film('Mad Max 2'),
    'Mad Max Collection/Mad Max Fury Road (2015).png': wasteland.film('Mad Max: Fury Road'),
    'Mad Max Collection - Backdrop.jpg': wasteland.own('backdrop'),
    'Mad Max.jpg': either(wasteland.own('poster'), wasteland.film('Mad Max')),
    'Mad Max/poster.jpg': either(wasteland.own('poster'), wasteland.film('Mad Max')),
    'Mad Max (1990).jpg': either(wasteland.film('Mad Max')),
  }),
];
