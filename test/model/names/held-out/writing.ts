import { breakingBad } from '../contexts/breaking-bad.ts';
import { saltmarsh } from '../contexts/saltmarsh.ts';
import { towerOfMumble } from '../contexts/tower-of-mumble.ts';
import { apart, either, partsOf } from '../expectations.ts';

const { own, season, card } = partsOf(breakingBad);
const tower = partsOf(towerOfMumble);
const marsh = partsOf(saltmarsh);

export const writing = [
  ...apart('unicode', towerOfMumble, {
    // Full-width letters and digits.
    '\uff33\uff10\uff11\uff25\uff10\uff13.jpg': tower.card(1, 3),
    'Cafe\u0301 de\u0301ja\u0300 vu.jpg': either(tower.card(2, 1), tower.card(2, 2)),
    'مدينة لا وجود لها.jpg': tower.card(1, 4),
    '🦊🚂 👩‍🚀 🏳️‍🌈 👍🏽.png': tower.card(1, 20),
    'S02E04 - 𝔐𝔲𝔪𝔟𝔩𝔢.jpg': tower.card(2, 4),
    '\uff33\uff45\uff41\uff53\uff4f\uff4e \uff12.jpg': tower.season(2),
    '不存在的茶馆.png': tower.card(1, 9),
    'S01E19\u200e.jpg': tower.card(1, 19),
    'Thanh pho khong co that.jpg': tower.card(1, 16),
  }),
  ...apart('unicode', breakingBad, {
    'No Ma\u0301s.jpg': card(3, 1),
  }),
  ...apart('case-and-separators', breakingBad, {
    'BREAKING_BAD_S02E04.JPG': card(2, 4),
    'breaking.bad.3x05.mas.png': card(3, 5),
    'season_03.PNG': season(3),
    'breaking-bad-backdrop.jpg': own('backdrop'),
    'S05_E11.jpg': card(5, 11),
    'breakingbad.s04e07.png': card(4, 7),
  }),
  ...apart('punctuation', breakingBad, {
    "S01E06 - Crazy Handful of Nothin'.jpg": card(1, 6),
    'Tohajiilee.jpg': card(5, 13),
  }),
  ...apart('punctuation', saltmarsh, {
    'Saltmarsh - The Long Watch - S02E02.jpg': marsh.card(2, 2),
    'The Keepers Daughter.jpg': marsh.card(1, 2),
    'Who Lit the Lamp.jpg': marsh.card(2, 4),
    // The next one begins with it.
    'Dry Land.jpg': marsh.card(3, 1),
  }),
  ...apart('punctuation', towerOfMumble, {
    'Either Or Neither.png': tower.card(2, 8),
  }),
  ...apart('suffixes', breakingBad, {
    'S02E06_4K.jpg': card(2, 6),
    'S03E02 (3840x2160).jpg': card(3, 2),
    'poster.en.jpg': own('poster'),
    'Season 2 [de].jpg': season(2),
    'S04E09 - textless - final.png': card(4, 9),
    // The browser numbered it: the first is in another folder.
    'S01E05 (1).jpg': card(1, 5),
  }),
];
