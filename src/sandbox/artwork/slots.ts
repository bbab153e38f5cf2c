/**
 * What a slot's picture is made of: a `scene` with its title, a `wordless` one with a small title in its corner, a
 * `portrait`, an `icon` with initials, or a `logo`, which is lettering alone.
 */
export type Manner = 'scene' | 'wordless' | 'portrait' | 'icon' | 'logo';

/** How a picture of the catalogue's own is drawn. */
export interface SlotShape {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly manner: Manner;
}

interface SlotFacts {
  /** The name of its `assets` array. */
  readonly list: string;
  /** Width by height of what is taken, any of these; null: any ratio. */
  readonly ratios: readonly number[] | null;
  /** Pixels of what is taken. */
  readonly minWidth: number;
  /** In the proportions that media centres and launchers expect. */
  readonly drawn: SlotShape;
}

const wide = { ratios: [16 / 9], minWidth: 400 };
const square = { ratios: [1], minWidth: 200 };
const hd = { width: 1920, height: 1080 };
const squarePixels = { width: 1024, height: 1024 };

/** The slots as the interface document writes them in Set responses. */
export const slots = {
  poster: {
    list: 'posters',
    ratios: [2 / 3],
    minWidth: 200,
    drawn: { width: 1000, height: 1500, manner: 'scene' },
  },
  backdrop: { list: 'backdrops', ...wide, drawn: { ...hd, manner: 'wordless' } },
  logo: { list: 'logos', ratios: null, minWidth: 64, drawn: { width: 800, height: 310, manner: 'logo' } },
  squareArt: { list: 'squareArts', ...square, drawn: { ...squarePixels, manner: 'scene' } },
  thumb: { list: 'thumbs', ...wide, drawn: { width: 1000, height: 562, manner: 'scene' } },
  titlecard: { list: 'titlecards', ...wide, drawn: { ...hd, manner: 'scene' } },
  // Store covers come in 600 × 900 and in 660 × 930.
  cover: {
    list: 'covers',
    ratios: [2 / 3, 66 / 93],
    minWidth: 200,
    drawn: { width: 600, height: 900, manner: 'scene' },
  },
  // Launchers take 1920 × 620 and 1600 × 650.
  hero: {
    list: 'heroes',
    ratios: [96 / 31, 32 / 13],
    minWidth: 600,
    drawn: { width: 1920, height: 620, manner: 'wordless' },
  },
  wideCover: {
    list: 'wideCovers',
    ratios: [460 / 215],
    minWidth: 300,
    drawn: { width: 920, height: 430, manner: 'scene' },
  },
  background: { list: 'backgrounds', ...wide, drawn: { ...hd, manner: 'wordless' } },
  squareCover: { list: 'squareCovers', ...square, drawn: { ...squarePixels, manner: 'scene' } },
  icon: { list: 'icons', ratios: [1], minWidth: 8, drawn: { width: 512, height: 512, manner: 'icon' } },
} as const satisfies Readonly<Record<string, SlotFacts>>;

export type Slot = keyof typeof slots;

/** Whether a word is a slot. */
export function isSlot(word: string): word is Slot {
  return Object.hasOwn(slots, word);
}
