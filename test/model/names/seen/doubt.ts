import { breakingBad } from '../contexts/breaking-bad.ts';
import { carpentryClub } from '../contexts/carpentry-club.ts';
import { lanternStreet } from '../contexts/lantern-street.ts';
import { sherlock } from '../contexts/sherlock.ts';
import { apart, either, ignored, partsOf, together, unmatched } from '../expectations.ts';

const { own, season, card } = partsOf(breakingBad);
const irregulars = partsOf(lanternStreet);

export const doubt = [
  ...together('duplicates', breakingBad, {
    'S01E01.jpg': either(card(1, 1)),
    'S01E01 (1).jpg': either(card(1, 1)),
  }),
  ...together('duplicates', breakingBad, {
    'S02E02.jpg': either(card(2, 2)),
    'S02E02.png': either(card(2, 2)),
  }),
  ...together('duplicates', breakingBad, {
    'S01E02 v1.jpg': either(card(1, 2)),
    'S01E02 v2.jpg': either(card(1, 2)),
  }),
  ...together('duplicates', breakingBad, {
    'S03E10.en.jpg': either(card(3, 10)),
    'S03E10.de.jpg': either(card(3, 10)),
  }),
  ...together('duplicates', breakingBad, {
    'poster.png': either(own('poster')),
    'cover.png': either(own('poster')),
  }),
  ...together('duplicates', breakingBad, {
    '1x07.jpg': either(card(1, 7)),
    'S01E07.jpg': either(card(1, 7)),
    'Season 01/E07.jpg': either(card(1, 7)),
  }),
  // Nothing is twice here.
  ...together('duplicates', breakingBad, {
    'Breaking Bad - Season 1.jpg': season(1),
    'Breaking Bad - Season 1 - Backdrop.jpg': season(1, 'backdrop'),
    'Breaking Bad - S01E01.jpg': card(1, 1),
  }),
  ...apart('junk', breakingBad, {
    '.DS_Store': ignored,
    'Season 01/Thumbs.db': ignored,
    'desktop.ini': ignored,
    'README.md': ignored,
    '._S01E01.jpg': ignored,
    'S01E01.nfo': ignored,
    'S01E01.mkv': ignored,
    'S01E01.srt': ignored,
    'S01E01.jpg.crdownload': ignored,
    'S01E03.jpg.part': ignored,
    'Breaking Bad.zip': ignored,
    'metadata.yml': ignored,
    '.thumbnails/S01E01.jpg': ignored,
    '$RECYCLE.BIN/S01E01.jpg': ignored,
  }),
  ...apart('other-works', breakingBad, {
    'Better Call Saul - S01E01.jpg': unmatched('other_work'),
    'Better Call Saul (2015).jpg': unmatched('other_work'),
    'Better Call Saul (2015) - Season 1.jpg': unmatched('other_work'),
    'Better.Call.Saul.S06E13.png': unmatched('other_work'),
    'The Office/Season 02/S02E01.jpg': unmatched('other_work'),
    'Breaking Bad (2019) - S01E01.jpg': unmatched('other_work'),
    'Breaking Badly - S01E02.jpg': unmatched('other_work'),
    // After the show's own title it can only be the episode.
    'Breaking Bad - Better Call Saul.jpg': card(2, 8),
    // Initials are told with `alsoCalled`.
    'BrBa S01E01.jpg': unmatched('other_work'),
  }),
  ...apart('other-works', sherlock, {
    'Sherlock Holmes (2009).jpg': unmatched('other_work'),
    'Elementary - S01E01.jpg': unmatched('other_work'),
  }),
  ...apart('other-works', carpentryClub, {
    '4x2 Carpentry Club - S01E01.jpg': unmatched('other_work'),
  }),
  ...apart('other-works', lanternStreet, {
    // Some words of the show's title, and its title with a word more: either may be another show's.
    'Lantern Street - S01E01.jpg': either(irregulars.card(1, 1)),
    'Street Irregulars S01E02.jpg': either(irregulars.card(1, 2)),
    'Irregulars/S01E03.jpg': either(irregulars.card(1, 3)),
    'Lantern Street/Season 1/S01E04.jpg': either(irregulars.card(1, 4)),
    'Lantern Street Irregulars Abroad/S01E05.jpg': either(irregulars.card(1, 5)),
    'Irregulars - Season 2.jpg': either(irregulars.season(2)),
  }),
  ...apart('ambiguous', breakingBad, {
    '01.jpg': either(card(1, 1), card(2, 1), card(3, 1), card(4, 1), card(5, 1)),
    'E02.jpg': either(card(1, 2), card(2, 2), card(3, 2), card(4, 2), card(5, 2)),
    'Episode 14.jpg': either(card(5, 14)),
    '102.jpg': either(card(1, 2)),
    '1-3.jpg': either(card(1, 3)),
    'S01E01 or S01E02.jpg': either(card(1, 1), card(1, 2)),
    'S01E01-S02E01.jpg': either(card(1, 1), card(2, 1)),
    'Season 1-2.jpg': either(season(1), season(2)),
    'Season 1 cards preview.jpg': either(season(1)),
    'rejected/S02E01.jpg': either(card(2, 1)),
    'DSC01234.jpg': unmatched('says_nothing'),
    'untitled.png': unmatched('says_nothing'),
    'Part 2.jpg': unmatched('says_nothing'),
    'a (5).jpg': unmatched('says_nothing'),
  }),
  ...apart('slot-words', breakingBad, {
    'poster.jpg': own('poster'),
    'Breaking Bad - Poster.jpg': own('poster'),
    'Backdrop.png': own('backdrop'),
    'Breaking Bad Backdrop.jpg': own('backdrop'),
    'background.jpg': own('backdrop'),
    'logo.png': own('logo'),
    'squareArt.jpg': own('squareArt'),
    'Thumb.png': own('thumb'),
    'wideCover.png': unmatched('no_slot'),
    'icon.png': unmatched('no_slot'),
    'Season 1 Square.jpg': unmatched('no_slot'),
    'titlecard.jpg': unmatched('says_nothing'),
    'S01E01 Poster.jpg': either(card(1, 1)),
  }),
];
