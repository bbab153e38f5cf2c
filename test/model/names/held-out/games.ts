import { lamplighters, portal2 } from '../contexts/games.ts';
import { apart, either, ownOf, unmatched } from '../expectations.ts';

const own = ownOf(portal2);

export const games = [
  ...apart('games', portal2, {
    'Portal 2 - Hero.png': own('hero'),
    'square cover.jpg': own('squareCover'),
    'Portal - Logo.png': unmatched('other_work'),
    'grid.png': either(own('cover'), own('wideCover')),
    'library_600x900.jpg': own('cover'),
    'Portal 2/icon.webp': own('icon'),
    'wide_cover.jpg': own('wideCover'),
    'Portal 2 - fanart.jpg': either(own('background'), own('hero')),
  }),
  ...apart('games', lamplighters, {
    'Lamplighters II - The Wick (2004) - Wide Cover.png': ownOf(lamplighters)('wideCover'),
    'Lamplighters II The Wick/hero.png': ownOf(lamplighters)('hero'),
  }),
];
