import type { SlotShape } from '../files/picture.ts';

interface SlotFacts {
  /** As people say it of one picture; left out: as the slot is called. */
  readonly words?: string;
  /** As people say it of several; left out: with an "s". */
  readonly plural?: string;
  /** Its list below `assets` in a record of an entity (interface document, Resources); left out: with an "s". */
  readonly list?: string;
  /** What its pictures usually look like. */
  readonly shape: SlotShape;
  /** What else surely means it, in names of files and in calls: phrases, one after the other. */
  readonly names?: string;
  /** What may mean it, where nothing of the same target surely does. */
  readonly maybe?: string;
}

const wide: SlotShape = { ratios: ['16:9'], minWidth: 1280 };
const square: SlotShape = { ratios: ['1:1'], minWidth: 512 };

// Of a film or a show a "cover" is its poster; of a game it is a slot of its own.
const coverNames =
  'cover, covers, cover art, coverart, front cover, box front, box art, boxart, library cover, обложка, カバー, 封面';
const keyArt = 'key art, keyart';
const backgroundNames = 'background, backgrounds, bg, hintergrund, sfondo, achtergrond, фон, 背景';
const squareNames = `square, squares, square art, square arts, square cover, square covers, square poster,
  squareposter, square image, square thumb, square icon, album, album art, albumart, album cover`;
const thumbNames = 'thumb, thumbs, thumbnail, thumbnails, tvthumb, moviethumb, vorschaubild';
const fanart = 'fanart, fan art';
const art = 'art, wallpaper, extrafanart, fanart1, fanart2, fanart3';
const gridNames = 'grid, grids, capsule, library capsule';
const headerNames = 'header, header capsule, main capsule, library header, wide';

/**
 * The slots of the interface document (Resources), in the order in which a person is shown them. One line tells all
 * that the program knows of a slot; `kinds.ts` says what has it. A member of a Set has the slot's own name. What a
 * program that shows artwork calls its own files stands in its layout (`curation/download/layouts.ts`).
 */
const table = {
  poster: {
    shape: { ratios: ['2:3', '1000:1426', '680:1000'], minWidth: 680 },
    names: `folder, season poster, season posters, seasonposter, show poster, series poster, tv poster, tvposter,
      movie poster, movieposter, film poster, collection poster, plakat, filmplakat, affiche, locandina, постер,
      ポスター, 포스터, 海报, ${coverNames}`,
    maybe: keyArt,
  },
  titlecard: {
    words: 'title card',
    shape: wide,
    names: `titelkarte, titelkarten, episode thumb, episode thumbs, episode thumbnail, episode card,
      episode cards, card, cards, tc, tcs, ${thumbNames}`,
    maybe: 'landscape',
  },
  cover: {
    shape: { ratios: ['2:3', '660:930'], minWidth: 342 },
    names: coverNames,
    maybe: `poster, posters, ${keyArt}, ${gridNames}`,
  },
  hero: {
    words: 'hero picture',
    list: 'heroes',
    shape: { ratios: ['96:31', '1600:650'], minWidth: 1600 },
    names: 'library hero, hero image, hero art, heroart',
    maybe: `backdrop, backdrops, ${fanart}, ${headerNames}`,
  },
  backdrop: {
    shape: wide,
    names: `${fanart}, moviebackground, showbackground, tvbackground, ${backgroundNames}`,
    maybe: `${art}, landscape`,
  },
  logo: {
    shape: { ratios: [], minWidth: 0, transparent: true },
    names: `logotype, clearlogo, clear logo, hdclearlogo, library logo, hd logo, hdlogo, hdtvlogo, hdmovielogo,
      movielogo, tvlogo, title logo, логотип, ロゴ, 로고`,
  },
  wideCover: {
    shape: { ratios: ['460:215'], minWidth: 460 },
    names: 'wide capsule, horizontal cover, horizontal grid',
    maybe: `${headerNames}, ${gridNames}, banner, banners`,
  },
  background: {
    shape: wide,
    names: backgroundNames,
    maybe: `backdrop, backdrops, ${fanart}, ${art}, landscape`,
  },
  squareArt: { plural: 'square art', shape: square, names: squareNames },
  squareCover: { shape: square, names: squareNames },
  thumb: { shape: { ratios: ['16:9'], minWidth: 1000 }, names: thumbNames, maybe: 'landscape' },
  icon: { shape: { ratios: ['1:1'], minWidth: 0 } },
} as const satisfies Readonly<Record<string, SlotFacts>>;

export type Slot = keyof typeof table;

const slots: Readonly<Record<Slot, SlotFacts>> = table;

/** All slots, in the order of the table. */
export const allSlots = Object.keys(slots) as readonly Slot[];

/** Artwork that people have and no slot takes: a name that says so means nothing else. */
const otherArtwork = `ncop, nced, box back, banner, banners, season banner, seasonbanner, tvbanner, moviebanner,
  seasonthumb, clearart, clear art, hdclearart, characterart, character art, disc, disc art, discart, disk, cdart,
  cd art, back cover, spine, screenshot, screenshots, still, stills, overlay, overlays, theme, actors, extrathumbs`;

/** Whether a word is a slot's own name. */
export function isSlot(word: string): word is Slot {
  return Object.hasOwn(slots, word);
}

/** A slot as people say it of one picture; a word that is none stays as it is. */
export function slotWords(slot: string): string {
  if (!isSlot(slot)) return slot;
  return slots[slot].words ?? slot.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** A slot as people say it of several pictures. */
export function slotsWords(slot: string): string {
  return (isSlot(slot) ? slots[slot].plural : undefined) ?? `${slotWords(slot)}s`;
}

/** So many pictures of a slot: `1 title card`, `3 title cards`. */
export function countOfSlot(count: number, slot: string): string {
  return `${count} ${count === 1 ? slotWords(slot) : slotsWords(slot)}`;
}

/** Its list below `assets` in a record of an entity. */
export function listOfSlot(slot: Slot): string {
  return slots[slot].list ?? `${slot}s`;
}

/** What pictures of a slot usually look like; null for a word that is no slot. */
export function shapeOfSlot(slot: string): SlotShape | null {
  const known = slotNamed(slot);
  return known === null ? null : slots[known].shape;
}

interface Means {
  readonly surely: Set<Slot>;
  readonly maybe: Set<Slot>;
}

const phrasesIn = (list = '') => list.split(',').map((phrase) => phrase.trim());

/** What each phrase of the table means. */
function meanings(): ReadonlyMap<string, Means> {
  const found = new Map<string, Means>();
  const of = (phrase: string): Means => {
    const means = found.get(phrase) ?? { surely: new Set(), maybe: new Set() };
    if (phrase !== '') found.set(phrase, means);
    return means;
  };
  for (const slot of allSlots) {
    const { names, maybe } = slots[slot];
    const own = [slot, listOfSlot(slot), slotWords(slot), slotsWords(slot)];
    for (const phrase of [...own, ...phrasesIn(names)]) of(phrase.toLowerCase()).surely.add(slot);
    for (const phrase of phrasesIn(maybe)) of(phrase).maybe.add(slot);
  }
  for (const phrase of phrasesIn(otherArtwork)) of(phrase);
  return found;
}

const byPhrase = meanings();
const byPlainPhrase = new Map([...byPhrase].map(([phrase, means]) => [plain(phrase), means]));

/** One of the phrases of the table, and so never other people's writing. */
export type ArtworkPhrase = string & { readonly __brand: 'ArtworkPhrase' };

function isPhrase(words: string): words is ArtworkPhrase {
  return byPhrase.has(words);
}

/**
 * The phrase for artwork that some words are, in lower case with single blanks between them. A number right behind it
 * counts its pictures: backdrop2. Null for any other words.
 */
export function artworkPhrase(words: string): ArtworkPhrase | null {
  if (isPhrase(words)) return words;
  // Every run of words of every name is asked about, and few end in a digit.
  if (words.charCodeAt(words.length - 1) > 57) return null;
  const counted = words.replace(/(?<=[a-z])\d{1,2}$/, '');
  return isPhrase(counted) ? counted : null;
}

export interface MeantSlots {
  /** None: nothing that was asked for has a slot for it. */
  readonly slots: readonly Slot[];
  /** Whether nothing else can be meant. */
  readonly sure: boolean;
}

/** Which of these slots a phrase for artwork means: the first that it surely means, else all that it may mean. */
export function slotsMeantBy(phrase: ArtworkPhrase, among: readonly Slot[]): MeantSlots {
  const means = byPhrase.get(phrase);
  const sure = among.find((slot) => means?.surely.has(slot));
  if (sure !== undefined) return { slots: [sure], sure: true };
  return { slots: among.filter((slot) => means?.maybe.has(slot)), sure: false };
}

function plain(word: string): string {
  return word.toLowerCase().replace(/^assets\.|[\s_-]/g, '');
}

/**
 * The slot that a word of a call names: by its own name, that of its list (`posters`, `assets.posters`), or what
 * people and programs surely mean by it (`fanart`, `clearlogo`), whatever the case and the separators.
 * @param among the slots of what is asked of
 * @returns null for what names none of them
 */
export function slotNamed(word: string, among: readonly Slot[] = allSlots): Slot | null {
  const wanted = plain(word);
  const means = byPlainPhrase.get(wanted);
  return (
    among.find((slot) => plain(slot) === wanted || plain(listOfSlot(slot)) === wanted) ??
    among.find((slot) => means?.surely.has(slot)) ??
    null
  );
}
