import { breakingBad } from '../contexts/breaking-bad.ts';
import { miscountedParcels } from '../contexts/miscounted-parcels.ts';
import { sherlock } from '../contexts/sherlock.ts';
import { apart, partsOf } from '../expectations.ts';

const { card } = partsOf(breakingBad);
const parcels = partsOf(miscountedParcels);
const series = partsOf(sherlock);

export const numbers = [
  ...apart('season-episode', breakingBad, {
    'S01E02.jpg': card(1, 2),
    's1e3.jpg': card(1, 3),
    'S1E04.png': card(1, 4),
    'S02 E02.jpg': card(2, 2),
    'S05.E05.jpg': card(5, 5),
    'S03EP08.jpg': card(3, 8),
    '(S04E05).jpg': card(4, 5),
    'Breaking Bad S04E03.jpg': card(4, 3),
    'Breaking Bad - S03E05.webp': card(3, 5),
    'breaking bad s5e10.jpeg': card(5, 10),
    'Title Card S01E01.jpg': card(1, 1),
  }),
  ...apart('season-episode', sherlock, {
    'S04E03.jpg': series.card(4, 3),
  }),
  ...apart('cross', breakingBad, {
    '1x02.jpg': card(1, 2),
    '2x09.png': card(2, 9),
    '5x1.jpg': card(5, 1),
    '1X06.JPG': card(1, 6),
    // The sign of multiplication.
    '4\u00d709.jpg': card(4, 9),
    '[1x05].jpg': card(1, 5),
    'Breaking Bad 3x04.jpg': card(3, 4),
    'Breaking Bad - 4x08.jpg': card(4, 8),
    'Breaking Bad.2x10.jpg': card(2, 10),
    'Breaking Bad (2008) 5x07.webp': card(5, 7),
  }),
  ...apart('cross', miscountedParcels, {
    '0x01.jpg': parcels.card(0, 1),
  }),
  ...apart('words', breakingBad, {
    'Season 1 Episode 2.jpg': card(1, 2),
    'Season 3 Ep 11.png': card(3, 11),
    'season 2 - episode 4.jpg': card(2, 4),
    'Breaking Bad, Season 5, Episode 8.jpg': card(5, 8),
    'Season One Episode Three.jpg': card(1, 3),
    'Season IV Episode II.jpg': card(4, 2),
    'Season 4 E02.jpg': card(4, 2),
    'Saison 2 Épisode 3.jpg': card(2, 3),
    'Temporada 4 Episodio 1.jpg': card(4, 1),
    'Staffel 1 Folge 5.png': card(1, 5),
  }),
  ...apart('words', sherlock, {
    'Series 1 Episode 1.jpg': series.card(1, 1),
    'Sherlock, Series Two, Episode 1.png': series.card(2, 1),
  }),
];
