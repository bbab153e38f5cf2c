import { breakingBad } from '../contexts/breaking-bad.ts';
import { miscountedParcels } from '../contexts/miscounted-parcels.ts';
import { saltmarsh } from '../contexts/saltmarsh.ts';
import { sherlock } from '../contexts/sherlock.ts';
import { apart, partsOf } from '../expectations.ts';

const { card } = partsOf(breakingBad);

export const numbers = [
  ...apart('season-episode', breakingBad, {
    'S03E07.jpg': card(3, 7),
    's4e11.png': card(4, 11),
    'S5 E14.webp': card(5, 14),
    'Breaking Bad S02EP05.jpg': card(2, 5),
    'breaking bad s1 e6.jpeg': card(1, 6),
  }),
  ...apart('season-episode', saltmarsh, {
    'S003E004.jpg': partsOf(saltmarsh).card(3, 4),
  }),
  ...apart('cross', breakingBad, {
    '3x09.jpg': card(3, 9),
    'Breaking Bad - 5x16.png': card(5, 16),
    '04x03.jpg': card(4, 3),
    'Breaking Bad [2x11].jpg': card(2, 11),
    'breaking_bad_2x12.jpg': card(2, 12),
  }),
  ...apart('cross', miscountedParcels, {
    '0x03.jpg': partsOf(miscountedParcels).card(0, 3),
  }),
  ...apart('words', breakingBad, {
    'Season 2 Episode 10.jpg': card(2, 10),
    'Season Four Episode Six.png': card(4, 6),
    'Staffel 3 Folge 12.jpg': card(3, 12),
    'Season 5, Ep. 2.jpg': card(5, 2),
    'Breaking Bad - Season 02 - Episode 06.jpg': card(2, 6),
  }),
  ...apart('words', sherlock, {
    'Series 3 Episode 2.jpg': partsOf(sherlock).card(3, 2),
  }),
];
