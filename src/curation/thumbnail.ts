import { type EncodedImage, encodeWithin, type Raster } from './encode-within.ts';
import { type OpenImage, type OriginalImage, openImage } from './open-image.ts';

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
