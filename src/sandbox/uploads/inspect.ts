import { refused } from '../me/protected-error.ts';
import { type ContentType, type Format, formats, maxPixelsOfAll } from './limits.ts';
import type { StagedFile } from './receive.ts';

/** What a picture file really is. */
export interface Inspected {
  readonly format: Format;
  /** Pixels, as it is meant to be seen. */
  readonly width: number;
  readonly height: number;
  /** 1 for a still picture. */
  readonly frames: number;
}

/**
 * Decodes every frame of the file.
 * @throws ProtectedError 422 when it isn't of the declared type or can't be decoded whole.
 */
export async function inspect(
  staged: Pick<StagedFile, 'path' | 'head'>,
  declared: ContentType,
): Promise<Inspected> {
  const { [declared]: format } = formats;
  const found = formatOf(staged.head);
  if (found !== format) {
    const what = found === null ? 'no picture of a known format' : `a ${found}`;
    const message = `The file is ${what}, not ${declared}.`;
    throw refused(422, 'asset.file.content_mismatch', message, ['Content-Type'], { declared, found });
  }
  // Only now: the catalogue starts sooner without it.
  const { default: sharp } = await import('sharp');
  // Its cache would keep what decoders hold of the last hundred pictures.
  sharp.cache(false);
  const options = { failOn: 'error', limitInputPixels: maxPixelsOfAll, sequentialRead: true } as const;
  try {
    const { autoOrient, pages = 1 } = await sharp(staged.path, options).metadata();
    // Made tiny frame by frame: what can't be decoded to its end fails here.
    const decode = () =>
      sharp(staged.path, { ...options, animated: true })
        .resize(8, 8, { fit: 'fill' })
        .raw()
        .toBuffer();
    await (autoOrient.width * autoOrient.height > manyPixels ? inTurn(decode) : decode());
    return { format, width: autoOrient.width, height: autoOrient.height, frames: pages };
  } catch (error) {
    // sharp tells of a broken picture by an Error without a code; a file that is gone is our own fault.
    if (!(error instanceof Error) || 'code' in error || /missing/i.test(error.message)) throw error;
    throw refused(422, 'asset.file.undecodable', 'The file is damaged: it can not be decoded to its end.');
  }
}

/** From here on a picture may take a hundred megabytes and more while it is decoded. */
const manyPixels = 12_000_000;

let last: Promise<unknown> = Promise.resolve();

/** One at a time, in the order of the calls. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const mine = last.then(work, work);
  last = mine;
  return mine;
}

/** By the bytes that every file of a format begins with; null for none of ours. */
function formatOf(head: Buffer): Format | null {
  const has = (bytes: string, at = 0) =>
    head.subarray(at, at + bytes.length).equals(Buffer.from(bytes, 'latin1'));
  if (has('\x89PNG\r\n\x1a\n')) return 'png';
  if (has('\xff\xd8\xff')) return 'jpeg';
  if (has('GIF87a') || has('GIF89a')) return 'gif';
  if (has('RIFF') && has('WEBP', 8)) return 'webp';
  return null;
}
