import type { SlotMeaning } from '../places.ts';

/** What people call artwork in the names of their files and folders. */
const phrases: readonly (readonly [meaning: SlotMeaning, phrases: string])[] = [
  [
    'poster',
    'poster, posters, folder, season poster, season posters, show poster, series poster, movie poster, film poster, collection poster',
  ],
  ['cover', 'cover, covers, cover art, box art, boxart, library cover'],
  ['key art', 'key art, keyart'],
  ['backdrop', 'backdrop, backdrops, fanart, fan art'],
  ['background', 'background, backgrounds'],
  ['art', 'art, wallpaper, extrafanart, fanart1, fanart2, fanart3'],
  [
    'logo',
    'logo, logos, clearlogo, clear logo, library logo, hd logo, hdlogo, hdtvlogo, hdmovielogo, title logo',
  ],
  [
    'square',
    'square, squares, square art, squareart, square arts, squarearts, square cover, squarecover, square covers, squarecovers, square poster',
  ],
  ['thumb', 'thumb, thumbs, thumbnail, thumbnails'],
  ['landscape', 'landscape'],
  [
    'titlecard',
    'titlecard, titlecards, title card, title cards, episode card, episode cards, card, cards, tc, tcs',
  ],
  ['hero', 'hero, heroes, library hero, hero image'],
  ['wide', 'wide cover, widecover, wide covers, widecovers, wide capsule'],
  ['header', 'header, header capsule, main capsule, library header'],
  ['icon', 'icon, icons'],
  ['grid', 'grid, grids, capsule, library capsule'],
  [
    'other',
    'banner, banners, season banner, clearart, clear art, hdclearart, characterart, character art, disc, disc art, discart, disk, cdart, cd art, back cover, spine, screenshot, screenshots, still, stills, overlay, overlays, theme, actors, extrathumbs',
  ],
];

export const slotPhrases: ReadonlyMap<string, SlotMeaning> = new Map(
  phrases.flatMap(([meaning, list]) => list.split(', ').map((phrase) => [phrase, meaning] as const)),
);

/** Whole names that stand for the poster of what the folder is for. */
export const posterNames: ReadonlySet<string> = new Set(['show', 'movie', 'default', 'film']);
