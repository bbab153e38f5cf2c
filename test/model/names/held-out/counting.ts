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
const byDay = parcels.card(1, 4, 'Four, as Counted by the Day Shift');
const byNight = parcels.card(1, 4, 'Four, as Counted by the Night Shift');

export const counting = [
  ...apart('double-episodes', breakingBad, {
    'S04E12-E13.jpg': either(card(4, 12), card(4, 13)),
    'S01E01E02.jpg': either(card(1, 1), card(1, 2)),
    'S01E07-E08.jpg': either(card(1, 7)),
    'S02E01-S02E02.jpg': either(card(2, 1), card(2, 2)),
  }),
  ...apart('double-episodes', miscountedParcels, {
    // One entry, two parts by its title, and nothing with the second number.
    'S02E05-E06.jpg': parcels.card(2, 5),
    'S02E07-08.jpg': either(parcels.card(2, 7), parcels.card(2, 8)),
  }),
  ...apart('double-episodes', saltmarsh, {
    'S01E05-E06 - The Flood.jpg': either(marsh.card(1, 5), marsh.card(1, 6)),
    'S01E06 - The Flood (2).jpg': marsh.card(1, 6),
  }),
  ...apart('two-of-one-number', miscountedParcels, {
    'S01E04.jpg': either(byDay, byNight),
    'S01E04 - Four, as Counted by the Night Shift.jpg': byNight,
    '1x04 (Day Shift).png': byDay,
    'S01E04b.jpg': either(byDay, byNight),
    'Four, as Counted by the Day Shift.jpg': byDay,
    'S01E05.jpg': parcels.card(1, 5),
    'S01E04 - Night Shift (4K).png': byNight,
  }),
  ...apart('absolute', puddlewick, {
    'Puddlewick Every Tuesday - 045.jpg': tuesday.card(1, 45),
    '[Scans] Puddlewick Every Tuesday - 113 [1080p].jpg': tuesday.card(1, 113),
    'Puddlewick.Every.Tuesday.099.jpg': tuesday.card(1, 99),
  }),
  ...apart('absolute', lanternStreet, {
    'Lantern Street Irregulars - 029.png': partsOf(lanternStreet).card(3, 29),
    'Lantern Street Irregulars S03E28.jpg': partsOf(lanternStreet).card(3, 28),
  }),
  ...apart('absolute', breakingBad, {
    // It is the 45th, if one counts; alone it might be any picture 45.
    'Breaking Bad - 045.jpg': either(card(4, 12)),
  }),
  ...apart('absolute', miscountedParcels, {
    // With the episode 0 counted, or without.
    'The Department of Miscounted Parcels - 09.jpg': either(parcels.card(2, 2), parcels.card(2, 3)),
  }),
  ...together('absolute', breakingBad, { 'Breaking Bad - 020.jpg': card(2, 13) }, countedThrough),
  ...together('absolute', breakingBad, { 'Breaking Bad - 405.jpg': card(4, 5) }, seasonBeforeEpisode),
  ...apart('no-such-number', breakingBad, {
    'S01E08.jpg': unmatched('no_such_episode'),
    'S07E01.jpg': unmatched('no_such_season'),
    'Season 6 - Backdrop.jpg': unmatched('no_such_season'),
    'Season 9/E01.jpg': unmatched('no_such_season'),
    'Season 3/3x14.jpg': unmatched('no_such_episode'),
  }),
  ...apart('no-such-number', miscountedParcels, {
    'S02E06.jpg': unmatched('no_such_episode'),
  }),
  ...apart('no-such-number', lanternStreet, {
    'S02E01.jpg': unmatched('no_such_episode'),
  }),
];
