import sharp, { type Sharp } from 'sharp';
import { ArtworkError } from '../errors.ts';

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
  /** Upright and in sRGB; of an animation the first frame. Decoding can still fail: see `unreadable`. */
  readonly picture: Sharp;
}

/** Enough for 8K artwork; decoded, such a picture takes 200 MB. */
export const mostPixels = 50_000_000;

const decodingSeconds = 20;

/**
 * Opens a picture that somebody else made. Only PNG, JPEG, WebP and GIF are ever handed to a decoder, by
 * their first bytes and not by what the service calls them.
 * @throws ArtworkError `bad_response` for anything else, for a broken header and for too many pixels
 */
export async function openImage(image: Buffer): Promise<OpenImage> {
  const format = formatOf(image);
  if (format === null) {
    throw new ArtworkError('bad_response', 'This is not a picture: neither PNG, JPEG, WebP nor GIF.');
  }
  const source = sharp(image, { limitInputPixels: mostPixels, failOn: 'error' });
  try {
    const { autoOrient, pages } = await source.metadata();
    return {
      original: { format, ...autoOrient, frames: pages ?? 1 },
      picture: source.autoOrient().timeout({ seconds: decodingSeconds }).toColourspace('srgb'),
    };
  } catch (error) {
    throw unreadable(error, format);
  }
}

/** What to throw when decoding fails. The decoder's own words stay out: they can quote the file. */
export function unreadable(error: unknown, format: ImageFormat): ArtworkError {
  const reason = error instanceof Error ? error.message : '';
  const name = names[format];
  const message = /pixel limit/.test(reason)
    ? `This ${name} has more than ${mostPixels / 1_000_000} million pixels; it is not decoded.`
    : /timeout/i.test(reason)
      ? `This ${name} takes too long to decode.`
      : `This ${name} is damaged: it can't be decoded.`;
  return new ArtworkError('bad_response', message, { details: { format }, cause: error });
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
