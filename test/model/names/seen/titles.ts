import { breakingBad } from '../contexts/breaking-bad.ts';
import { carpentryClub } from '../contexts/carpentry-club.ts';
import { dailyThimble } from '../contexts/daily-thimble.ts';
import { mossbottom } from '../contexts/mossbottom.ts';
import { eighteenEightyThree, swat, twentyFour } from '../contexts/number-like-titles.ts';
import { apart, either, partsOf, unmatched } from '../expectations.ts';

const { card } = partsOf(breakingBad);
const winters = partsOf(mossbottom);
const thimble = partsOf(dailyThimble);
const day = partsOf(twentyFour);
const ranch = partsOf(eighteenEightyThree);
const squad = partsOf(swat);
const carpentry = partsOf(carpentryClub);

export const titles = [
  ...apart('number-and-title', breakingBad, {
    'Breaking Bad - S01E01 - Pilot.jpg': card(1, 1),
    "S01E02 - Cat's in the Bag....jpg": card(1, 2),
    "Breaking Bad - 1x03 - ...And the Bag's in the River.jpg": card(1, 3),
    'S02E09 4 Days Out.png': card(2, 9),
    'Breaking Bad S05E14 Ozymandias.jpg': card(5, 14),
    'Pilot - S01E01.jpg': card(1, 1),
    'S04E13 - Face Off - Breaking Bad.jpg': card(4, 13),
    'Breaking Bad - S05E16 - Felina (Finale).jpg': card(5, 16),
    // A title that the catalogue does not have speaks against nothing.
    'S03E02 - Caballo ohne Namen.jpg': card(3, 2),
    'S02E08 - Better Call Saul.jpg': card(2, 8),
    // The number says one thing and the title another.
    'S01E03 - Cancer Man.jpg': either(card(1, 3), card(1, 4)),
    'S03E12 - Full Measure.jpg': either(card(3, 12), card(3, 13)),
  }),
  ...apart('title-only', breakingBad, {
    'Pilot.jpg': card(1, 1),
    'Ozymandias.jpg': card(5, 14),
    'Breaking Bad - Felina.png': card(5, 16),
    'Cats in the Bag.jpg': card(1, 2),
    'Crawlspace.jpg': card(4, 11),
    'IFT.jpg': card(3, 3),
    'Mas.jpg': card(3, 5),
    'Face Off.webp': card(4, 13),
    // Nearly one title, and not far from another.
    'Full Measures.jpg': either(card(3, 13), card(3, 12)),
    'Gliding.jpg': either(card(5, 8)),
  }),
  ...apart('title-only', mossbottom, {
    'First Frost.jpg': either(winters.card(1, 1), winters.card(2, 1), winters.card(3, 1), winters.card(4, 1)),
    'Season 2/Deep Snow.jpg': winters.card(2, 3),
  }),
  ...apart('dates', dailyThimble, {
    '2020-02-29.jpg': thimble.card(2020, 2),
    '2020_03_04.jpg': thimble.card(2020, 3),
    '31.12.2021.jpg': thimble.card(2021, 5),
    'The Daily Thimble - August 31 2020.jpg': thimble.card(2020, 4),
    '3rd March 2021.jpg': unmatched('no_such_episode'),
    '29 Feb. 2020.jpg': thimble.card(2020, 2),
    'the.daily.thimble.2020s2021e02.jpg': thimble.card(2021, 2),
    '2021-06-01 - Evening Edition.jpg': thimble.card(2021, 4),
    '2020/2020-02-28.jpg': thimble.card(2020, 1),
    'S2020E01.jpg': thimble.card(2020, 1),
    '2021x02.jpg': thimble.card(2021, 2),
    'Season 2021.jpg': thimble.season(2021),
    // The fourth of March, which was aired, or the third of April.
    '03-04-2020.jpg': either(thimble.card(2020, 3)),
    '2020.jpg': either(thimble.season(2020), thimble.own('poster')),
    '2022-01-01.jpg': unmatched('no_such_episode'),
  }),
  ...apart('dates', breakingBad, {
    'S04E07 2011-08-28.jpg': card(4, 7),
    'S04E06 2011-08-28.jpg': either(card(4, 6), card(4, 7)),
    'Screenshot 2024-05-01.png': unmatched('says_nothing'),
  }),
  ...apart('number-like-titles', twentyFour, {
    '24 - S01E05.jpg': day.card(1, 5),
    '24.S02E10.jpg': day.card(2, 10),
    '24 - 1x24.png': day.card(1, 24),
    '24 S01.jpg': day.season(1),
    '24/Season 05/S05E01.jpg': day.card(5, 1),
    // The show, or an episode 24.
    '24.jpg': either(day.own('poster')),
  }),
  ...apart('number-like-titles', eighteenEightyThree, {
    '1883.jpg': ranch.own('poster'),
    '1883.S01E02.jpg': ranch.card(1, 2),
    '1883 (2021) - Season 1.jpg': ranch.season(1),
    '1883 - Backdrop.jpg': ranch.own('backdrop'),
  }),
  ...apart('number-like-titles', swat, {
    'S.W.A.T..S01E02.jpg': squad.card(1, 2),
    'SWAT - S01E03.jpg': squad.card(1, 3),
    'swat.s02e23.jpg': squad.card(2, 23),
    'S.W.A.T. (2017).jpg': squad.own('poster'),
    'S.W.A.T. Season 2.jpg': squad.season(2),
    'S.W.A.T. (1975) - S01E01.jpg': unmatched('other_work'),
  }),
  ...apart('misleading-numbers', carpentryClub, {
    '2x4 Carpentry Club - 1x03.jpg': carpentry.card(1, 3),
    '2x4 Carpentry Club (2016) - Season 2.jpg': carpentry.season(2),
    '2x4 Carpentry Club - Backdrop.png': carpentry.own('backdrop'),
    'S01E03 - Episode 5.jpg': carpentry.card(1, 3),
    'S01E05 - Season Two.jpg': carpentry.card(1, 5),
    'S02E01 - Poster.jpg': carpentry.card(2, 1),
    'S02E05 - Specials.jpg': carpentry.card(2, 5),
    'S02E03 - 2001.jpg': carpentry.card(2, 3),
    '2x4.jpg': either(carpentry.card(2, 4), carpentry.own('poster')),
    'Episode 5.jpg': either(carpentry.card(1, 3), carpentry.card(1, 5), carpentry.card(2, 5)),
  }),
  ...apart('misleading-numbers', breakingBad, {
    'S01E02 1920x1080.jpg': card(1, 2),
    'Breaking Bad 1x04 720p.jpg': card(1, 4),
    'S01E05v2.jpg': card(1, 5),
    'Folge 2x11.jpg': card(2, 11),
    'S03E06 H.264 5.1.jpg': card(3, 6),
    'Fifty-One.jpg': card(5, 4),
    '1920x1080.jpg': unmatched('says_nothing'),
    '737.jpg': unmatched('says_nothing'),
  }),
];
