import { breakingBad } from '../contexts/breaking-bad.ts';
import { miscountedParcels } from '../contexts/miscounted-parcels.ts';
import { saltmarsh } from '../contexts/saltmarsh.ts';
import { sherlock } from '../contexts/sherlock.ts';
import { apart, either, partsOf, unmatched } from '../expectations.ts';

const { card, season, seasonIn } = partsOf(breakingBad);
const parcels = partsOf(miscountedParcels);
const series = partsOf(sherlock);

export const seasons = [
  ...apart('season-folders', breakingBad, {
    'Season 03/E05.jpg': card(3, 5),
    'Season 5/S05E09.jpg': card(5, 9),
    'S04/07.png': card(4, 7),
    'Season 02/S03E02.jpg': either(card(2, 2), card(3, 2)),
    'Breaking Bad/Season 1/Breaking Bad - S01E07.jpg': card(1, 7),
    'Season 02 (2009)/Breaking Bad - 2x01.jpg': card(2, 1),
    'Cards/Season 3/S03E01 - No Más.jpg': card(3, 1),
  }),
  ...apart('season-folders', sherlock, {
    'Series 4/Episode 1.jpg': series.card(4, 1),
  }),
  ...apart('season-pictures', breakingBad, {
    'Season04.jpg': season(4),
    'Season 5 - Backdrop.jpg': season(5, 'backdrop'),
    'S03 Poster.png': season(3),
    'season2-background.jpg': season(2, 'backdrop'),
    'Season 1 Logo.png': seasonIn(1, 'logo'),
    'Season 3/backdrop.jpg': season(3, 'backdrop'),
    'Breaking Bad Season 4 Fanart.webp': season(4, 'backdrop'),
    'Breaking Bad - Season Three.jpg': season(3),
  }),
  ...apart('specials', miscountedParcels, {
    'S00E02.jpg': parcels.card(0, 2),
    'Specials/02 - The Making of a Cardboard Box.jpg': parcels.card(0, 2),
    'Specials.png': parcels.season(0),
    'Season 0 - Backdrop.jpg': parcels.season(0, 'backdrop'),
  }),
  ...apart('specials', sherlock, {
    'Sherlock - The Abominable Bride.jpg': series.card(0, 1),
    'Sherlock Specials - Backdrop.jpg': series.season(0, 'backdrop'),
  }),
  ...apart('specials', breakingBad, {
    'Specials - Backdrop.jpg': unmatched('no_such_season'),
  }),
  ...apart('specials', saltmarsh, {
    'Season 00/02.jpg': partsOf(saltmarsh).card(0, 2),
  }),
];
