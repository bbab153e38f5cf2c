import { type CatalogueImage, imageType } from './image-type.ts';
import { chunksOf, memoryWithin, requireUnchangedFile } from './read-file.ts';
import { type EncodedPicture, isDecodingTimeout, openEncoded } from './decoding.ts';
import type { OpenFile } from './open-file.ts';
import { refusedFileError } from './refusal.ts';
import type { UploadBytes } from './upload-bytes.ts';

export type MediaType = CatalogueImage['mediaType'];

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
  /** It ends in the middle: GIFs can be decoded all the same. */
  readonly cutShort: boolean;
  /** Why its pixels were not looked at, as a sentence's end; null: they were. */
  readonly undecoded: string | null;
}

/**
 * What a file is by its first bytes, whatever its name says.
 * @throws ArtworkError `upload_refused` (`unknown_type`, `source_changed`, `unreadable`)
 */
export async function pictureTypeOf(file: OpenFile): Promise<MediaType> {
  const start = await readInto(Buffer.alloc(Math.min(file.length, 16)), file);
  const mediaType = imageType(start);
  if (mediaType !== null) return mediaType;
  throw refusedFileError(
    'unknown_type',
    'This is not a picture that can be uploaded: neither PNG, JPEG, WebP nor GIF, whatever its name says. Export it as one of these.',
  );
}

// Several times what the service takes; beyond, memory counts for more than an early word.
const mostBytes = 64 * 1024 * 1024;

/**
 * Decodes a picture once, so that what is damaged is never uploaded. Null where the file is too large to be read
 * whole.
 * @throws ArtworkError `upload_refused` (`damaged`, `source_changed`, `unreadable`), `cancelled`
 */
export async function readPictureShape(
  { file, length, held: lease }: UploadBytes,
  mediaType: MediaType,
  signal?: AbortSignal,
): Promise<PictureShape | null> {
  if (lease !== null) return decode(lease, mediaType);
  if (length > mostBytes) return null;
  const whole = await readInto(Buffer.allocUnsafeSlow(length), file, signal);
  await requireUnchangedFile(file);
  return decode(whole, mediaType);
}

async function readInto(whole: Buffer, file: OpenFile, signal?: AbortSignal): Promise<Buffer> {
  const chunks = chunksOf(file.handle, whole.length, memoryWithin(whole), signal);
  while ((await chunks.next()).done !== true);
  return whole;
}

const gifEnd = 0x3b;

async function decode(bytes: Buffer, mediaType: MediaType): Promise<PictureShape> {
  try {
    const { width, height, rotated, frames, alpha, tooLarge, ...picture } = await openEncoded(bytes);
    const cutShort = mediaType === 'image/gif' && bytes.at(-1) !== gifEnd;
    const undecoded = tooLarge ?? (await decodeWhole(picture));
    return { width, height, rotated, frames, alpha, cutShort, undecoded };
  } catch (error) {
    // The decoder's words stay out: they can quote the file.
    const name = mediaType.slice('image/'.length).toUpperCase();
    throw refusedFileError('damaged', `This ${name} is damaged: it can't be decoded. Export it again.`, {
      cause: error,
    });
  }
}

/** Null, or why it was given up. */
async function decodeWhole({ decode: session }: Pick<EncodedPicture, 'decode'>): Promise<string | null> {
  try {
    // A few pixels made from all of them: everything is decoded, little is kept.
    await session((picture) => picture.resize(8, 8, { fit: 'fill' }).raw().toBuffer());
    return null;
  } catch (error) {
    if (!isDecodingTimeout(error)) throw error;
    return 'takes too long to decode';
  }
}
