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
const carpentry = partsOf(carpentryClub);

export const titles = [
  ...apart('number-and-title', breakingBad, {
    'Breaking Bad - S02E13 - ABQ.jpg': card(2, 13),
    'S03E03 - I.F.T..jpg': card(3, 3),
    'Breaking Bad - S04E01 - Box Cutters.jpg': card(4, 1),
    // The number says one thing and the title another.
    'S05E06 - Ozymandias.jpg': either(card(5, 6), card(5, 14)),
    'Breaking Bad - S03E10 - Die Fliege.png': card(3, 10),
    '2x08 - Better Call Saul.jpg': card(2, 8),
  }),
  ...apart('title-only', breakingBad, {
    'Kafkaesque.jpg': card(3, 9),
    'breaking bad - gray matter.png': card(1, 5),
    'Negro y Azul.jpg': card(2, 7),
    'Measure.jpg': either(card(3, 12), card(3, 13)),
  }),
  ...apart('title-only', mossbottom, {
    'The Pond.jpg': either(winters.card(1, 2), winters.card(2, 2), winters.card(3, 2), winters.card(4, 2)),
    'Winter 3/Thaw.jpg': winters.card(3, 5),
  }),
  ...apart('dates', dailyThimble, {
    'The Daily Thimble - 2021-12-31.jpg': thimble.card(2021, 5),
    '20200831.jpg': thimble.card(2020, 4),
    'The Daily Thimble - Dec 31st, 2021.jpg': thimble.card(2021, 5),
    'thimble/04.apr.2021.jpg': unmatched('no_such_episode'),
    '2021-06-01.jpg': either(thimble.card(2021, 3), thimble.card(2021, 4)),
    '2021/04-03 Sugar Found.jpg': thimble.card(2021, 2),
    'The Daily Thimble S2020E04 - 2020-08-31.jpg': thimble.card(2020, 4),
  }),
  ...apart('dates', breakingBad, {
    'Breaking Bad - 2013-09-15.jpg': card(5, 14),
    // The day it was made, not the day it was aired.
    'S01E03 (2024-11-05).jpg': card(1, 3),
    'Breaking Bad 2008-01-21.jpg': unmatched('no_such_episode'),
  }),
  ...apart('number-like-titles', twentyFour, {
    '24 - S03E24.jpg': day.card(3, 24),
    '24 (2001).jpg': day.own('poster'),
    '24 - Season 8.jpg': day.season(8),
    '24 (2001) - S04 E01.jpg': day.card(4, 1),
  }),
  ...apart('number-like-titles', eighteenEightyThree, {
    '1883 - S01E10.jpg': partsOf(eighteenEightyThree).card(1, 10),
    '1883 E07.jpg': partsOf(eighteenEightyThree).card(1, 7),
  }),
  ...apart('number-like-titles', swat, {
    'S.W.A.T. - S02E05.jpg': partsOf(swat).card(2, 5),
    'SWAT_2017_S01E22.png': partsOf(swat).card(1, 22),
  }),
  ...apart('misleading-numbers', carpentryClub, {
    '2x4 Carpentry Club - S02E03.jpg': carpentry.card(2, 3),
    '2x4 Carpentry Club.jpg': carpentry.own('poster'),
    // The title of this episode is the number of another.
    'S01E04 - S02E03.jpg': carpentry.card(1, 4),
    'S02E02 - 1080p.jpg': carpentry.card(2, 2),
    'S02E04 - Backdrop.jpg': carpentry.card(2, 4),
  }),
  ...apart('misleading-numbers', breakingBad, {
    'Breaking Bad S04E02 1080p x264.jpg': card(4, 2),
    '4 Days Out 4K.jpg': card(2, 9),
    'Breaking Bad 2160p HDR10 S05E15.jpg': card(5, 15),
  }),
];
