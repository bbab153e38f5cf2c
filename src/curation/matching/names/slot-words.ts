import type { SlotMeaning } from '../places.ts';

/** What people call artwork in the names of their files and folders. */
const phrases: readonly (readonly [meaning: SlotMeaning, phrases: string])[] = [
  [
    'poster',
    'poster, posters, folder, season poster, season posters, seasonposter, show poster, series poster, tv poster, tvposter, movie poster, movieposter, film poster, collection poster, plakat, filmplakat, affiche, locandina, постер, ポスター, 포스터, 海报',
  ],
  [
    'cover',
    'cover, covers, cover art, coverart, front cover, box art, boxart, library cover, обложка, カバー, 封面',
  ],
  ['key art', 'key art, keyart'],
  ['backdrop', 'backdrop, backdrops, fanart, fan art, moviebackground, showbackground, tvbackground'],
  ['background', 'background, backgrounds, bg, hintergrund, sfondo, achtergrond, фон, 背景'],
  ['art', 'art, wallpaper, extrafanart, fanart1, fanart2, fanart3'],
  [
    'logo',
    'logo, logos, logotype, clearlogo, clear logo, hdclearlogo, library logo, hd logo, hdlogo, hdtvlogo, hdmovielogo, movielogo, tvlogo, title logo, логотип, ロゴ, 로고',
  ],
  [
    'square',
    'square, squares, square art, squareart, square arts, squarearts, square cover, squarecover, square covers, squarecovers, square poster, squareposter, square image, square thumb, square icon, album, album art, albumart, album cover',
  ],
  ['thumb', 'thumb, thumbs, thumbnail, thumbnails, tvthumb, moviethumb, vorschaubild'],
  ['landscape', 'landscape'],
  [
    'titlecard',
    'titlecard, titlecards, title card, title cards, episode thumb, episode thumbs, episode thumbnail, titelkarte, titelkarten, episode card, episode cards, card, cards, tc, tcs',
  ],
  ['hero', 'hero, heroes, library hero, hero image, hero art, heroart'],
  ['wide', 'wide cover, widecover, wide covers, widecovers, wide capsule, horizontal cover, horizontal grid'],
  ['header', 'header, header capsule, main capsule, library header, wide'],
  ['icon', 'icon, icons'],
  ['grid', 'grid, grids, capsule, library capsule'],
  [
    'other',
    'banner, banners, season banner, seasonbanner, tvbanner, moviebanner, seasonthumb, clearart, clear art, hdclearart, characterart, character art, disc, disc art, discart, disk, cdart, cd art, back cover, spine, screenshot, screenshots, still, stills, overlay, overlays, theme, actors, extrathumbs',
  ],
];

const meanings: ReadonlyMap<string, SlotMeaning> = new Map(
  phrases.flatMap(([meaning, list]) => list.split(', ').map((phrase) => [phrase, meaning] as const)),
);

/** What several words together, or one with a number right behind it (backdrop2), mean as artwork. */
export function slotMeaning(phrase: string): SlotMeaning | undefined {
  return meanings.get(phrase) ?? meanings.get(phrase.replace(/(?<=[a-z])\d{1,2}$/, ''));
}

/** Whole names that stand for the poster of what the folder is for. */
export const posterNames: ReadonlySet<string> = new Set(['show', 'movie', 'default', 'film']);
