/**
 * The limits of an uploaded picture. The interface document shows one by example: 20,971,520 bytes. All
 * others are this catalogue's own, generous ones.
 */
export const maxBytes = 20_971_520;

/** Media types, with the name of their format. */
export const formats = {
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/webp': 'webp',
  'image/gif': 'gif',
} as const;

export type ContentType = keyof typeof formats;
export type Format = (typeof formats)[ContentType];

/** Pixels. */
export const maxEdge = 10_000;
export const maxPixels = 50_000_000;
export const maxFrames = 600;
/** Pixels of all frames together. */
export const maxPixelsOfAll = 400_000_000;

/** How far a picture may be from a ratio, as a share of it. */
export const ratioTolerance = 0.06;

interface SlotLimits {
  /** Width by height, any of these; null: any ratio. */
  readonly ratios: readonly number[] | null;
  /** Pixels. */
  readonly minWidth: number;
}

const wide = { ratios: [16 / 9], minWidth: 400 };
const square = { ratios: [1], minWidth: 200 };

const limits: Readonly<Record<string, SlotLimits>> = {
  poster: { ratios: [2 / 3], minWidth: 200 },
  // Store covers come in 600 × 900 and in 660 × 930.
  cover: { ratios: [2 / 3, 66 / 93], minWidth: 200 },
  backdrop: wide,
  background: wide,
  titlecard: wide,
  thumb: wide,
  squareArt: square,
  squareCover: square,
  // Launchers take 1920 × 620 and 1600 × 650.
  hero: { ratios: [96 / 31, 32 / 13], minWidth: 600 },
  wideCover: { ratios: [460 / 215], minWidth: 300 },
  icon: { ratios: [1], minWidth: 8 },
  logo: { ratios: null, minWidth: 64 },
};

/** @throws TypeError for an unknown slot, which is refused earlier. */
export function limitsOf(slot: string): SlotLimits {
  const found = limits[slot];
  if (found === undefined) throw new TypeError(`There are no limits for the slot ${slot}.`);
  return found;
}
