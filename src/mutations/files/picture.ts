import { type CatalogueImage, imageType } from '../../catalogue/image-type.ts';
import { chunksOf } from './chunks.ts';
import type { OpenFile } from './open-file.ts';
import { refuse } from './refusal.ts';
import { requireUnchanged } from './unchanged.ts';

export type MediaType = CatalogueImage['mediaType'];

/** What a file holds, whatever its name says. */
export interface Picture {
  readonly mediaType: MediaType;
  /** Null where it was not decoded, because it is too large for that. */
  readonly shape: PictureShape | null;
  /** It ends in the middle: GIFs can be decoded all the same. */
  readonly cutShort: boolean;
}

export interface PictureShape {
  /** Pixels, as it is meant to be seen: a camera's rotation mark is followed. */
  readonly width: number;
  readonly height: number;
  /** It has a rotation mark, which not everybody follows. */
  readonly rotated: boolean;
  /** More than one: it is animated. */
  readonly frames: number;
  /** It can be transparent. */
  readonly alpha: boolean;
}

// Several times what the service takes; beyond, memory counts for more than an early word.
const mostBytes = 64 * 1024 * 1024;
const mostPixels = 100_000_000;
const decodingSeconds = 20;

/**
 * Finds out what a file holds, and decodes it once, so that what is damaged is never uploaded.
 * @throws ArtworkError `upload_refused` (`unknown_type`, `damaged`, `source_changed`, `unreadable`), `cancelled`
 */
export async function readPicture(file: OpenFile, signal?: AbortSignal): Promise<Picture> {
  const bytes = await readStart(file, mostBytes, signal);
  const mediaType = imageType(bytes);
  if (mediaType === null) {
    throw refuse(
      'unknown_type',
      'This is not a picture that can be uploaded: neither PNG, JPEG, WebP nor GIF, whatever its name says. Export it as one of these.',
    );
  }
  const whole = bytes.length === file.length;
  const shape = whole ? await decode(bytes, mediaType) : null;
  await requireUnchanged(file);
  return { mediaType, shape, cutShort: whole && mediaType === 'image/gif' && bytes.at(-1) !== gifEnd };
}

const gifEnd = 0x3b;

/** The whole file, or of a larger one as much as tells its type. */
async function readStart(file: OpenFile, most: number, signal?: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const length = file.length <= most ? file.length : 16;
  for await (const chunk of chunksOf(file.handle, length, signal)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function decode(bytes: Buffer, mediaType: MediaType): Promise<PictureShape | null> {
  const { default: sharp } = await import('sharp');
  const picture = sharp(bytes, { limitInputPixels: mostPixels, failOn: 'error', sequentialRead: true });
  try {
    const { autoOrient, orientation, pages, hasAlpha } = await picture.metadata();
    // A few pixels made from all of them: everything is decoded, little is kept.
    await picture.timeout({ seconds: decodingSeconds }).resize(8, 8, { fit: 'fill' }).raw().toBuffer();
    const { width, height } = autoOrient;
    return { width, height, rotated: (orientation ?? 1) !== 1, frames: pages ?? 1, alpha: hasAlpha };
  } catch (error) {
    // The decoder's words stay out: they can quote the file.
    const reason = error instanceof Error ? error.message : '';
    if (/pixel limit|timeout/i.test(reason)) return null;
    const name = mediaType.slice('image/'.length).toUpperCase();
    throw refuse('damaged', `This ${name} is damaged: it can't be decoded. Export it again.`, {
      cause: error,
    });
  }
}
