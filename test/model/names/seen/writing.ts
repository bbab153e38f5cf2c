import { breakingBad } from '../contexts/breaking-bad.ts';
import { saltmarsh } from '../contexts/saltmarsh.ts';
import { towerOfMumble } from '../contexts/tower-of-mumble.ts';
import { apart, either, partsOf, unmatched } from '../expectations.ts';

const { own, season, card } = partsOf(breakingBad);
const tower = partsOf(towerOfMumble);
const marsh = partsOf(saltmarsh);

export const writing = [
  ...apart('unicode', towerOfMumble, {
    // Full-width letters and digits.
    '\uff33\uff10\uff12\uff25\uff10\uff15.jpg': tower.card(2, 5),
    'Το νησί που δεν υπάρχει.jpg': tower.card(1, 1),
    'ΤΟ ΝΗΣΙ ΠΟΥ ΔΕΝ ΥΠΑΡΧΕΙ.png': tower.card(1, 1),
    '存在しない駅.jpg': tower.card(1, 7),
    [`${'존재하지 않는 섬'.normalize('NFD')}.jpg`]: tower.card(1, 8),
    'STRASSE OHNE ENDE, FUSS OHNE SCHUH.jpg': tower.card(1, 18),
    'IŞIKSIZ İSTASYON.jpg': tower.card(1, 17),
    'שלום 42 Hello مرحبا 7.jpg': tower.card(1, 19),
    '✅ S01E09.jpg': tower.card(1, 9),
    // A right-to-left mark before it, a zero-width space after it.
    '\u200fS01E05.jpg': tower.card(1, 5),
    'S01E01\u200b.jpg': tower.card(1, 1),
    'The Tower of Mumble · Ο Πύργος · Башня · 塔 - S01E10.jpg': tower.card(1, 10),
    'Café déjà vu.jpg': either(tower.card(2, 1), tower.card(2, 2)),
    'S02E02 - Café déjà vu.jpg': tower.card(2, 2),
    '7.jpg': either(tower.card(1, 7), tower.card(2, 7), tower.card(2, 14)),
    // What it shows is not what it says: a right-to-left override, a Cyrillic letter that looks like an S.
    'S01E0\u202e2.jpg': either(tower.card(1, 2)),
    '\u040501E06.jpg': either(tower.card(1, 6)),
  }),
  ...apart('case-and-separators', breakingBad, {
    'BREAKING BAD S01E05.JPG': card(1, 5),
    'breaking.bad.s02e05.jpg': card(2, 5),
    'breaking_bad_s03e06.png': card(3, 6),
    'Breaking-Bad-4x02.jpg': card(4, 2),
    // Glued to its number a title is not found.
    'BreakingBadS05E12.jpg': unmatched('says_nothing'),
    'breaking__bad__-__s05e06.jpeg': card(5, 6),
    'Breaking Bad   S05E03.jpg': card(5, 3),
    's02-e03.jpg': card(2, 3),
    's01 e07.Jpg': card(1, 7),
    'sEaSoN 3.jpg': season(3),
    'SEASON_04_BACKDROP.PNG': season(4, 'backdrop'),
    'BREAKING.BAD.(2008).BACKDROP.JPG': own('backdrop'),
  }),
  ...apart('punctuation', breakingBad, {
    'S01E02 - Cat’s in the Bag….jpg': card(1, 2),
    "And the Bag's in the River.png": card(1, 3),
    'S05E13 - To’hajiilee.jpg': card(5, 13),
    'A No Rough Stuff Type Deal.jpg': card(1, 7),
  }),
  ...apart('punctuation', saltmarsh, {
    'Saltmarsh: The Long Watch - S01E01.jpg': marsh.card(1, 1),
    'Saltmarsh The Long Watch - S01E02.jpg': marsh.card(1, 2),
    'Saltmarsh_ The Long Watch S02E01.jpg': marsh.card(2, 1),
    'OMalleys Boat.png': marsh.card(1, 3),
    'Rope.jpg': marsh.card(2, 2),
    'Rope and Anchor.jpg': marsh.card(2, 3),
    'Fog Again.jpg': marsh.card(2, 5),
    // Half the show's title.
    'Saltmarsh - S03E03.jpg': either(marsh.card(3, 3)),
  }),
  ...apart('punctuation', towerOfMumble, {
    'S02E13 - ….jpg': tower.card(2, 13),
    'Quoted, Quoted and Quoted.jpg': tower.card(2, 7),
  }),
  ...apart('suffixes', breakingBad, {
    'S01E03 1080p.jpg': card(1, 3),
    'S01E04 (1920x1080).png': card(1, 4),
    'S04E13 - UHD - HDR.webp': card(4, 13),
    '2160p/S03E04.jpg': card(3, 4),
    'S04E08@2x.png': card(4, 8),
    'S02E10.en.jpg': card(2, 10),
    'S02E11 [German].jpg': card(2, 11),
    'S03E08_textless.png': card(3, 8),
    'poster_fr.jpg': own('poster'),
    'Season 1 (EN).jpg': season(1),
    'S05E02.v2.jpg': card(5, 2),
    'S05E05 copy.jpg': card(5, 5),
    'backdrop_clean.jpg': own('backdrop'),
    'S03E03 2.jpg': either(card(3, 3)),
  }),
];
