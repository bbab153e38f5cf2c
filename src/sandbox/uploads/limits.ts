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
