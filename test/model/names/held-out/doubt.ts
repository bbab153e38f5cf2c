import { breakingBad } from '../contexts/breaking-bad.ts';
import { twentyFour } from '../contexts/number-like-titles.ts';
import { saltmarsh } from '../contexts/saltmarsh.ts';
import { sherlock } from '../contexts/sherlock.ts';
import { apart, either, ignored, partsOf, together, unmatched } from '../expectations.ts';

const { own, card } = partsOf(breakingBad);

export const doubt = [
  ...together('duplicates', breakingBad, {
    'S03E11.jpg': either(card(3, 11)),
    'S03E11.png': either(card(3, 11)),
  }),
  ...together('duplicates', breakingBad, {
    'poster.de.jpg': either(own('poster')),
    'poster.fr.jpg': either(own('poster')),
  }),
  ...together('duplicates', breakingBad, {
    'S02E07.jpg': either(card(2, 7)),
    'Season 2/S02E07.jpg': either(card(2, 7)),
  }),
  ...together('duplicates', breakingBad, {
    'S04E05.jpg': either(card(4, 5)),
    'S04E05 copy.jpg': either(card(4, 5)),
    'S04E06.jpg': card(4, 6),
  }),
  ...apart('junk', breakingBad, {
    'Thumbs.db': ignored,
    '._S02E01.jpg': ignored,
    'S02E02.mkv': ignored,
    '__MACOSX/Breaking Bad/._S01E02.jpg': ignored,
    'notes.txt': ignored,
    '@eaDir/S01E02.jpg/SYNOPHOTO_THUMB_XL.jpg': ignored,
    'Season 3/.DS_Store': ignored,
  }),
  ...apart('other-works', breakingBad, {
    'Better Call Saul - S01E02.jpg': unmatched('other_work'),
    'El Camino A Breaking Bad Movie (2019).jpg': unmatched('other_work'),
    'Better Call Saul (2015)/Season 01/S01E05.jpg': unmatched('other_work'),
    'Metástasis - S01E01.jpg': unmatched('other_work'),
  }),
  ...apart('other-works', saltmarsh, {
    'Saltmarsh (1998) - S01E02.jpg': unmatched('other_work'),
  }),
  ...apart('ambiguous', breakingBad, {
    'IMG_0203.jpg': unmatched('says_nothing'),
    '03.jpg': either(card(1, 3), card(2, 3), card(3, 3), card(4, 3), card(5, 3)),
    'Episode 13.jpg': either(card(2, 13), card(3, 13), card(4, 13), card(5, 13)),
    'S01E01 vs S01E02.png': either(card(1, 1), card(1, 2)),
    // It was put aside.
    'Old/S04E04.jpg': either(card(4, 4)),
    // An episode, and another show.
    'Better Call Saul.jpg': either(card(2, 8)),
  }),
  ...apart('slot-words', breakingBad, {
    'Backdrop.jpg': own('backdrop'),
    'Square Art.png': own('squareArt'),
    'thumb.jpg': own('thumb'),
    'landscape.jpg': either(own('thumb'), own('backdrop')),
    'hero.jpg': unmatched('no_slot'),
    'Breaking Bad - Logo.png': own('logo'),
  }),
  ...apart('other-works', sherlock, {
    'Sherlock (1954) - S01E01.jpg': unmatched('other_work'),
  }),
  ...apart('other-works', twentyFour, {
    '24 Legacy (2017) - S01E01.jpg': unmatched('other_work'),
  }),
];
