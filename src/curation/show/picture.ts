import type { Sharp } from 'sharp';
import { ArtworkError } from '../../errors.ts';
import { type CatalogueImage, imageType, isDecodingTimeout, openEncoded } from '../../files/decoding.ts';

export type ImageFormat = 'png' | 'jpeg' | 'webp' | 'gif';

/** A picture as it came: what its first bytes and its header say. */
export interface OriginalImage {
  readonly format: ImageFormat;
  /** Pixels, as it is meant to be seen: a camera's rotation mark is followed. */
  readonly width: number;
  readonly height: number;
  /** More than one: it is animated. */
  readonly frames: number;
}

/** Decoded pixels, 8 bits a channel, in sRGB. */
export interface Raster {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
  /** 4 only where something shines through. */
  readonly channels: 3 | 4;
}

export interface EncodedImage {
  readonly bytes: Buffer;
  readonly contentType: 'image/jpeg' | 'image/png' | 'image/webp';
}

export interface DecodedPicture {
  readonly raster: Raster;
  readonly original: OriginalImage;
}

/**
 * What the header of a picture says. Only PNG, JPEG, WebP and GIF are ever handed to a decoder, by their first bytes
 * and not by what the service calls them.
 * @throws ArtworkError `bad_response` for anything else, for a broken header and for what is too large to decode
 */
export async function headerOf(bytes: Buffer): Promise<OriginalImage> {
  return (await open(bytes, 0)).original;
}

/**
 * Decodes a picture to fit a box: upright, in sRGB, never enlarged.
 * @param box widest and highest, in pixels
 * @param frame of an animation, from 0; one that isn't there counts as the first
 * @throws ArtworkError `bad_response` where it is damaged, too large or takes too long
 */
export async function decodePicture(
  bytes: Buffer,
  box: { readonly width: number; readonly height: number },
  frame = 0,
): Promise<DecodedPicture> {
  const first = await open(bytes, 0);
  const { original, work } = frame > 0 && frame < first.original.frames ? await open(bytes, frame) : first;
  const { data, info } = await inTurn(() =>
    work((picture) =>
      picture
        .autoOrient()
        .resize({ ...box, fit: 'inside', withoutEnlargement: true })
        .toColourspace('srgb')
        .raw()
        .toBuffer({ resolveWithObject: true }),
    ),
  );
  const size = { width: info.width, height: info.height };
  if (info.channels === 3) return { original, raster: { data, ...size, channels: 3 } };
  if (!isOpaque(data)) return { original, raster: { data, ...size, channels: 4 } };
  const { default: sharp } = await import('sharp');
  const opaque = sharp(data, { raw: { ...size, channels: 4 } }).removeAlpha();
  return { original, raster: { data: await opaque.raw().toBuffer(), ...size, channels: 3 } };
}

let decoding = 0;
const waiting: (() => void)[] = [];

/** Two at a time: more take memory, and each has threads of its own. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  while (decoding >= 2) await new Promise<void>((resolve) => waiting.push(resolve));
  decoding += 1;
  try {
    return await work();
  } finally {
    decoding -= 1;
    waiting.shift()?.();
  }
}

async function open(bytes: Buffer, frame: number) {
  const mediaType = imageType(bytes);
  if (mediaType === null) {
    throw new ArtworkError('bad_response', 'This is not a picture: neither PNG, JPEG, WebP nor GIF.');
  }
  const format = formats[mediaType];
  const unreadable = (error: unknown): never => {
    // The decoder's own words stay out: they can quote the file.
    const why = isDecodingTimeout(error) ? 'takes too long to decode' : "is damaged: it can't be decoded";
    throw notShown(format, `${why}.`, error);
  };
  const { width, height, frames, tooLarge, decode } = await openEncoded(bytes, frame).catch(unreadable);
  if (tooLarge !== null) throw notShown(format, `${tooLarge}: it is not shown. Export it smaller.`);
  return {
    original: { format, width, height, frames },
    work: <T>(work: (picture: Sharp) => Promise<T>) => decode(work).catch(unreadable),
  };
}

const formats: Readonly<Record<CatalogueImage['mediaType'], ImageFormat>> = {
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/webp': 'webp',
  'image/gif': 'gif',
};

function notShown(format: ImageFormat, why: string, cause?: unknown): ArtworkError {
  return new ArtworkError('bad_response', `This picture ${why}`, { details: { format }, cause });
}

function isOpaque(rgba: Buffer): boolean {
  for (let at = 3; at < rgba.length; at += 4) if (rgba[at] !== 255) return false;
  return true;
}

const qualities = [84, 70, 55] as const;
const smallest = 8;

/**
 * Encodes pixels so that they take at most `maxBytes`: first in lower quality, then in fewer pixels. Opaque ones as JPEG;
 * others as PNG where that fits, else as WebP.
 * @param only `webp`: as WebP in any case, which has the fewest bytes, and which every browser shows
 */
export async function encodeWithin(
  raster: Raster,
  maxBytes: number,
  only: 'webp' | null = null,
): Promise<EncodedImage> {
  const { default: sharp } = await import('sharp');
  const isClear = raster.channels === 4;
  for (let { width } = raster; ; width = Math.floor(width * 0.75)) {
    const sized = () => {
      const picture = sharp(raster.data, { raw: raster });
      return width === raster.width ? picture : picture.resize({ width });
    };
    if (isClear && only === null) {
      const bytes = await sized().png({ compressionLevel: 9 }).toBuffer();
      if (bytes.length <= maxBytes) return { bytes, contentType: 'image/png' };
    }
    for (const quality of qualities) {
      const asWebp = isClear || only === 'webp';
      const bytes = await (asWebp
        ? sized().webp({ quality, alphaQuality: quality, effort: 2 })
        : sized().jpeg({ quality })
      ).toBuffer();
      const isLast = width <= smallest && quality === qualities.at(-1);
      if (bytes.length <= maxBytes || isLast) {
        return { bytes, contentType: asWebp ? 'image/webp' : 'image/jpeg' };
      }
    }
  }
}
