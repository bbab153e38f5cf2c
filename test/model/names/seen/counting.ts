import { breakingBad } from '../contexts/breaking-bad.ts';
import { lanternStreet } from '../contexts/lantern-street.ts';
import { miscountedParcels } from '../contexts/miscounted-parcels.ts';
import { puddlewick } from '../contexts/puddlewick.ts';
import { saltmarsh } from '../contexts/saltmarsh.ts';
import { apart, either, partsOf, together, unmatched } from '../expectations.ts';
import { countedThrough, seasonBeforeEpisode } from '../runs.ts';

const { card } = partsOf(breakingBad);
const parcels = partsOf(miscountedParcels);
const marsh = partsOf(saltmarsh);
const tuesday = partsOf(puddlewick);
const lantern = partsOf(lanternStreet);
const byDay = parcels.card(1, 4, 'Four, as Counted by the Day Shift');
const byNight = parcels.card(1, 4, 'Four, as Counted by the Night Shift');

export const counting = [
  ...apart('double-episodes', breakingBad, {
    'S01E01-E02.jpg': either(card(1, 1), card(1, 2)),
    'S02E12E13.jpg': either(card(2, 12), card(2, 13)),
    'S03E01-02.png': either(card(3, 1), card(3, 2)),
    '5x15-16.jpg': either(card(5, 15), card(5, 16)),
    'S05E15-S05E16.jpg': either(card(5, 15), card(5, 16)),
    'S01E01+E02 - Pilot.jpg': either(card(1, 1), card(1, 2)),
    'S04E01-E03.jpg': either(card(4, 1), card(4, 2), card(4, 3)),
  }),
  ...apart('double-episodes', miscountedParcels, {
    // One entry, two parts by its title, and nothing with the second number.
    'S02E05-E06 - The Great Sorting.jpg': parcels.card(2, 5),
    '2x05-06.jpg': parcels.card(2, 5),
    'S02E05.jpg': parcels.card(2, 5),
    'S02E05-E07.jpg': either(parcels.card(2, 5), parcels.card(2, 7)),
  }),
  ...apart('double-episodes', saltmarsh, {
    'The Flood.jpg': either(marsh.card(1, 5), marsh.card(1, 6)),
    'The Flood, Part 2.jpg': marsh.card(1, 6),
    'The Flood Part I.jpg': marsh.card(1, 5),
    'S01E05 - The Flood (Part 1).jpg': marsh.card(1, 5),
  }),
  ...apart('two-of-one-number', miscountedParcels, {
    'S01E4.png': either(byDay, byNight),
    '1x04.jpg': either(byDay, byNight),
    'Season 1/04.jpg': either(byDay, byNight),
    'S01E04a.jpg': either(byDay, byNight),
    'The Department of Miscounted Parcels - S01E04 - Four.jpg': either(byDay, byNight),
    'S01E04 - Day Shift.jpg': byDay,
    'Season 1/04 - Four, as Counted by the Night Shift.jpg': byNight,
    'Four, as Counted by the Night Shift.webp': byNight,
    'S01E04 2019-04-08.jpg': byNight,
    'S01E03.jpg': parcels.card(1, 3),
    'Department of Miscounted Parcels - S01E01 - One.jpg': parcels.card(1, 1),
  }),
  ...together('two-of-one-number', miscountedParcels, {
    'S01E04 (1).jpg': either(byDay, byNight),
    'S01E04 (2).jpg': either(byDay, byNight),
  }),
  ...apart('absolute', puddlewick, {
    'Puddlewick Every Tuesday - 001.jpg': tuesday.card(1, 1),
    'Puddlewick Every Tuesday 077.png': tuesday.card(1, 77),
    'Puddlewick Every Tuesday - 120 - The Parade at Last.jpg': tuesday.card(1, 120),
    '[Scans] Puddlewick Every Tuesday - 008 [4K].jpg': tuesday.card(1, 8),
    'E100.jpg': tuesday.card(1, 100),
    'Episode 64.jpg': tuesday.card(1, 64),
    '033.jpg': tuesday.card(1, 33),
    'Puddlewick Every Tuesday - 121.jpg': unmatched('no_such_episode'),
  }),
  ...apart('absolute', lanternStreet, {
    'Lantern Street Irregulars - 013.jpg': lantern.card(2, 13),
    'Lantern Street Irregulars - 36.jpg': lantern.card(3, 36),
    'S02E20.jpg': lantern.card(2, 20),
    // The second of the first season, or the second special.
    '02.jpg': either(lantern.card(1, 2), lantern.card(0, 2)),
  }),
  ...together(
    'absolute',
    breakingBad,
    {
      'Breaking Bad - 001.jpg': card(1, 1),
      'Breaking Bad - 008.jpg': card(2, 1),
      'Breaking Bad - 062.jpg': card(5, 16),
    },
    countedThrough,
  ),
  ...together('absolute', breakingBad, { 'Breaking Bad - 213.jpg': card(2, 13) }, seasonBeforeEpisode),
  ...apart('absolute', breakingBad, {
    'Breaking Bad - 050.jpg': either(card(5, 4)),
    // The twelfth of all, or of one of four seasons.
    'Breaking Bad - 012.jpg': either(card(2, 5), card(2, 12), card(3, 12), card(4, 12), card(5, 12)),
  }),
  ...apart('no-such-number', breakingBad, {
    'S01E99.jpg': unmatched('no_such_episode'),
    '1x08.jpg': unmatched('no_such_episode'),
    'S01E100.jpg': unmatched('no_such_episode'),
    'Season 01/E09.jpg': unmatched('no_such_episode'),
    'S06E01.jpg': unmatched('no_such_season'),
    '9x01.jpg': unmatched('no_such_season'),
    'Season 6.jpg': unmatched('no_such_season'),
    'Season 12 - Backdrop.jpg': unmatched('no_such_season'),
    'Season 0.jpg': unmatched('no_such_season'),
    // The title is that of the episode before.
    'S02E14 - ABQ.jpg': either(card(2, 13)),
  }),
  ...apart('no-such-number', miscountedParcels, {
    'S00E05.jpg': unmatched('no_such_episode'),
    'S02E09.jpg': unmatched('no_such_episode'),
  }),
  ...apart('no-such-number', lanternStreet, {
    'S03E01.jpg': unmatched('no_such_episode'),
  }),
];
