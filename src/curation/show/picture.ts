import { ArtworkError } from '../../errors.ts';
import {
  type Box,
  type ImageFormat,
  imageFormat,
  isDecodingTimeout,
  openEncoded,
  type Raster,
} from '../../files/decode.ts';

/** A picture as it came: what its first bytes and its header say. */
export interface OriginalImage {
  readonly format: ImageFormat;
  /** Pixels, as it is meant to be seen: a camera's rotation mark is followed. */
  readonly width: number;
  readonly height: number;
  /** More than one: it is animated. */
  readonly frames: number;
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
 * @param frame of an animation, from 0; one that isn't there counts as the first
 * @throws ArtworkError `bad_response` where it is damaged, too large or takes too long
 */
export async function decodePicture(bytes: Buffer, box: Box, frame = 0): Promise<DecodedPicture> {
  const first = await open(bytes, 0);
  const { original, decode } = frame > 0 && frame < first.original.frames ? await open(bytes, frame) : first;
  return { original, raster: await decode(box) };
}

async function open(bytes: Buffer, frame: number) {
  const format = imageFormat(bytes);
  if (format === null) {
    throw new ArtworkError('bad_response', 'This is not a picture: neither PNG, JPEG, WebP nor GIF.');
  }
  const unreadable = (error: unknown): never => {
    // The decoder's own words stay out: they can quote the file.
    const why = isDecodingTimeout(error) ? 'takes too long to decode' : "is damaged: it can't be decoded";
    throw notShown(format, `${why}.`, error);
  };
  const encoded = await openEncoded(bytes, frame, 'endured').catch(unreadable);
  const { width, height, frames, tooLarge } = encoded;
  if (tooLarge !== null) throw notShown(format, `${tooLarge}: it is not shown. Export it smaller.`);
  return {
    original: { format, width, height, frames },
    decode: (box: Box) => encoded.decode(box).catch(unreadable),
  };
}

function notShown(format: ImageFormat, why: string, cause?: unknown): ArtworkError {
  return new ArtworkError('bad_response', `This picture ${why}`, { details: { format }, cause });
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
