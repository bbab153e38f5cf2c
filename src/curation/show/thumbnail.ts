import type { Sharp } from 'sharp';
import { ArtworkError } from '../../errors.ts';
import { isDecodingTimeout, openEncoded } from '../../files/decoding.ts';

/** Decoded pixels, 8 bits a channel, in sRGB. */
export interface Raster {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
  readonly channels: 3 | 4;
}

export interface EncodedImage {
  readonly bytes: Buffer;
  readonly contentType: 'image/jpeg' | 'image/png' | 'image/webp';
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

export interface Thumbnail extends EncodedImage {
  /** What it was made from. */
  readonly original: OriginalImage;
}

/**
 * A picture small enough to show to a model. Transparency is kept; nothing is ever enlarged.
 * @param options.size widest, in pixels; the height is at most twice that
 * @param options.maxBytes of the encoded picture
 * @throws ArtworkError `bad_response` for what is not a whole PNG, JPEG, WebP or GIF of a sane size
 */
export async function thumbnail(
  image: Buffer,
  options: { readonly size: number; readonly maxBytes: number },
): Promise<Thumbnail> {
  const opened = await openImage(image);
  const raster = await rasterOf(opened, options.size, options.size * 2);
  return { ...(await encodeWithin(raster, options.maxBytes)), original: opened.original };
}

const qualities = [84, 70, 55] as const;
const smallest = 8;

/**
 * Encodes pixels so that they take at most `maxBytes`: first in lower quality, then in fewer pixels. Opaque
 * ones as JPEG; those with an alpha channel as PNG where that fits, else as WebP.
 * @throws RangeError when not even a picture of a few pixels fits
 */
export async function encodeWithin(raster: Raster, maxBytes: number): Promise<EncodedImage> {
  // Loaded by the first picture: most calls have none, and it takes 10 MB.
  const { default: sharp } = await import('sharp');
  const isClear = raster.channels === 4;
  const least = Math.min(smallest, raster.width);
  for (let width = raster.width; width >= least; width = Math.floor(width * 0.75)) {
    const source = sharp(raster.data, { raw: raster });
    const { data, info } = await (width === raster.width ? source : source.resize({ width }))
      .raw()
      .toBuffer({ resolveWithObject: true });
    const size = { width: info.width, height: info.height };
    const make = () => sharp(data, { raw: { ...size, channels: info.channels } });
    if (isClear) {
      const bytes = await make().png({ compressionLevel: 9 }).toBuffer();
      if (bytes.length <= maxBytes) return { bytes, contentType: 'image/png', ...size };
    }
    for (const quality of qualities) {
      const encoded = isClear
        ? make().webp({ quality, alphaQuality: quality, effort: 3 })
        : make().jpeg({ quality });
      const bytes = await encoded.toBuffer();
      if (bytes.length <= maxBytes) {
        return { bytes, contentType: isClear ? 'image/webp' : 'image/jpeg', ...size };
      }
    }
  }
  throw new RangeError(`No picture fits into ${maxBytes} bytes.`);
}

/**
 * Decodes a picture to fit a box, with an alpha channel only where something shines through.
 * @throws ArtworkError `bad_response` when it can't be decoded
 */
export async function rasterOf({ decode }: OpenImage, width: number, height: number): Promise<Raster> {
  const { data, info } = await decode((picture) =>
    picture
      .resize({ width, height, fit: 'inside', withoutEnlargement: true })
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true }),
  );
  const size = { width: info.width, height: info.height };
  return isOpaque(data) ? { data: withoutAlpha(data), ...size, channels: 3 } : { data, ...size, channels: 4 };
}

function isOpaque(rgba: Buffer): boolean {
  for (let at = 3; at < rgba.length; at += 4) if (rgba[at] !== 255) return false;
  return true;
}

function withoutAlpha(rgba: Buffer): Buffer {
  const rgb = Buffer.allocUnsafe((rgba.length / 4) * 3);
  for (let from = 0, to = 0; from < rgba.length; from += 4, to += 3) rgba.copy(rgb, to, from, from + 3);
  return rgb;
}

export type ImageFormat = 'png' | 'jpeg' | 'webp' | 'gif';

/** A picture as it came: what its first bytes and its header say. */
interface OriginalImage {
  readonly format: ImageFormat;
  /** Pixels, as it is meant to be seen: a camera's rotation mark is followed. */
  readonly width: number;
  readonly height: number;
  /** More than one: it is animated. */
  readonly frames: number;
}

interface OpenImage {
  readonly original: OriginalImage;
  /**
   * Decodes it, upright and in sRGB; of an animation the first frame. What `work` makes of it stays.
   * @throws ArtworkError `bad_response` where it is damaged, too large or takes too long
   */
  decode<T>(work: (picture: Sharp) => Promise<T>): Promise<T>;
}

/**
 * Opens a picture from outside. Only PNG, JPEG, WebP and GIF are ever handed to a decoder, by
 * their first bytes and not by what the service calls them.
 * @throws ArtworkError `bad_response` for anything else, for a broken header and for what is too large to decode
 */
export async function openImage(image: Buffer): Promise<OpenImage> {
  const format = formatOf(image);
  if (format === null) {
    throw new ArtworkError('bad_response', 'This is not a picture: neither PNG, JPEG, WebP nor GIF.');
  }
  const opened = await openEncoded(image).catch((error: unknown) => {
    throw unreadable(error, format);
  });
  const { width, height, frames, tooLarge } = opened;
  if (tooLarge !== null) throw notShown(format, `${tooLarge}: it is not shown. Export it smaller.`);
  return {
    original: { format, width, height, frames },
    decode: (work) =>
      opened
        .decode((picture) => work(picture.autoOrient().toColourspace('srgb')))
        .catch((error: unknown) => {
          throw unreadable(error, format);
        }),
  };
}

/** What to throw when decoding fails. The decoder's own words stay out: they can quote the file. */
function unreadable(error: unknown, format: ImageFormat): ArtworkError {
  const why = isDecodingTimeout(error) ? 'takes too long to decode.' : "is damaged: it can't be decoded.";
  return notShown(format, why, error);
}

function notShown(format: ImageFormat, why: string, cause?: unknown): ArtworkError {
  return new ArtworkError('bad_response', `This ${names[format]} ${why}`, { details: { format }, cause });
}

const names: Readonly<Record<ImageFormat, string>> = { png: 'PNG', jpeg: 'JPEG', webp: 'WebP', gif: 'GIF' };

function formatOf(image: Buffer): ImageFormat | null {
  const start = image.toString('latin1', 0, 12);
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (start.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return 'webp';
  if (start.startsWith('GIF87a') || start.startsWith('GIF89a')) return 'gif';
  return null;
}
