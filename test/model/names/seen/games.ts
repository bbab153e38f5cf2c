import { lamplighters, portal2 } from '../contexts/games.ts';
import { apart, either, ownOf, unmatched } from '../expectations.ts';

const own = ownOf(portal2);
const lamp = ownOf(lamplighters);

export const games = [
  ...apart('games', portal2, {
    'cover.png': own('cover'),
    'hero.jpg': own('hero'),
    'logo.png': own('logo'),
    'icon.png': own('icon'),
    'background.jpg': own('background'),
    'wide cover.png': own('wideCover'),
    'squareCover.webp': own('squareCover'),
    'Portal 2 (2011) - Cover.jpg': own('cover'),
    'Portal 2_Icon.png': own('icon'),
    'library_hero.jpg': own('hero'),
    'header.jpg': either(own('wideCover'), own('hero')),
    'backdrop.jpg': either(own('background'), own('hero')),
    'poster.jpg': either(own('cover')),
    'Portal 2.jpg': either(own('cover')),
    'Portal - Hero.jpg': unmatched('other_work'),
    'Portal 2 screenshot 3.jpg': unmatched('says_nothing'),
  }),
  ...apart('games', lamplighters, {
    'Lamplighters II The Wick - Square Cover.png': lamp('squareCover'),
    'lamplighters_ii_the_wick_logo.png': lamp('logo'),
    'Lamplighters 2 - Hero.jpg': either(lamp('hero')),
    'Lamplighters - Cover.png': unmatched('other_work'),
  }),
];
