import type { Sharp } from 'sharp';
import { ArtworkError } from '../errors.ts';
import { isDecodingTimeout, openEncoded } from '../files/decoding.ts';

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

export interface OpenImage {
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
