import { breakingBad } from '../contexts/breaking-bad.ts';
import { miscountedParcels } from '../contexts/miscounted-parcels.ts';
import { mossbottom } from '../contexts/mossbottom.ts';
import { sherlock } from '../contexts/sherlock.ts';
import { apart, either, partsOf, unmatched } from '../expectations.ts';

const { season, seasonIn, card } = partsOf(breakingBad);
const parcels = partsOf(miscountedParcels);
const series = partsOf(sherlock);

export const seasons = [
  ...apart('season-folders', breakingBad, {
    'Season 01/S01E02.jpg': card(1, 2),
    'Season 1/01.jpg': card(1, 1),
    'Season 2/Episode 5.jpg': card(2, 5),
    'Season 03/3x07.jpg': card(3, 7),
    'Breaking Bad/Season 04/S04E10.jpg': card(4, 10),
    'Season 5/E16 - Felina.jpg': card(5, 16),
    'S02/E06.png': card(2, 6),
    'season 4/9 - Bug.jpg': card(4, 9),
    'Season 1/Season 1.jpg': season(1),
    'Season 3/poster.jpg': season(3),
    'Season 2/Backdrop.png': season(2, 'backdrop'),
    'Title Cards/S05E03.jpg': card(5, 3),
    'New folder/Season 5/S05E04.jpg': card(5, 4),
    'Season 01/S02E01.jpg': either(card(1, 1), card(2, 1)),
    'Season 01/102.jpg': either(card(1, 2)),
  }),
  ...apart('season-folders', sherlock, {
    'Series 1/02.jpg': series.card(1, 2),
  }),
  ...apart('season-pictures', breakingBad, {
    'Season01.jpg': season(1),
    'Season 1.jpg': season(1),
    'S03.jpg': season(3),
    'Season 4 Poster.jpg': season(4),
    'season-05.jpg': season(5),
    'Breaking Bad - Season 02.png': season(2),
    'Breaking Bad S05 Poster.webp': season(5),
    'season2-poster.jpg': season(2),
    'Season 2 - Backdrop.jpg': season(2, 'backdrop'),
    'S1 - Backdrop.jpg': season(1, 'backdrop'),
    'Season 3 Background.jpg': season(3, 'backdrop'),
    'Season05_fanart.jpg': season(5, 'backdrop'),
    'Season 4 banner.jpg': seasonIn(4, 'banner'),
    'Seasons 1-5.jpg': either(season(1), season(2), season(3), season(4), season(5)),
  }),
  ...apart('season-pictures', sherlock, {
    'Series 2.jpg': series.season(2),
  }),
  ...apart('season-pictures', mossbottom, {
    'Winter 2.jpg': partsOf(mossbottom).season(2),
  }),
  ...apart('specials', miscountedParcels, {
    'S00E01.jpg': parcels.card(0, 1),
    'Specials/S00E03.jpg': parcels.card(0, 3),
    'Specials/01.jpg': parcels.card(0, 1),
    'Season 00/S00E01 - The Parcel Nobody Ordered.jpg': parcels.card(0, 1),
    'Special 2.jpg': parcels.card(0, 2),
    'Return to Sender.jpg': parcels.card(0, 3),
    'Specials.jpg': parcels.season(0),
    'Season 0.png': parcels.season(0),
    'S00.jpg': parcels.season(0),
    'Specials - Backdrop.jpg': parcels.season(0, 'backdrop'),
    // An episode 0 of a season is no special.
    'S01E00.jpg': parcels.card(1, 0),
    'SP03.jpg': either(parcels.card(0, 3)),
  }),
  ...apart('specials', sherlock, {
    'Specials Poster.png': series.season(0),
    'Special.jpg': either(series.card(0, 1), series.season(0)),
    'S00E02.jpg': unmatched('no_such_episode'),
  }),
  ...apart('specials', breakingBad, {
    'S00E01.jpg': unmatched('no_such_season'),
  }),
];
