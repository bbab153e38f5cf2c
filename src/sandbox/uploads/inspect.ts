import { isSlot, slots } from '../artwork/slots.ts';
import { refusal } from '../me/protected-error.ts';
import type { StagedFile } from './files.ts';
import {
  type ContentType,
  type Format,
  formats,
  maxEdge,
  maxFrames,
  maxPixels,
  maxPixelsOfAll,
  ratioTolerance,
} from './limits.ts';

/** What a picture file contains. */
export interface InspectedPicture {
  readonly format: Format;
  /** Pixels, after its orientation was applied. */
  readonly width: number;
  readonly height: number;
  /** 1 for a still picture. */
  readonly frames: number;
}

/**
 * Decodes every frame of the file.
 * @throws ProtectedError 422 when it is not of the declared type or can't be decoded whole.
 */
export async function inspectPicture(
  staged: Pick<StagedFile, 'path' | 'head'>,
  declared: ContentType,
): Promise<InspectedPicture> {
  const { [declared]: format } = formats;
  const found = formatOf(staged.head);
  if (found !== format) {
    const what = found === null ? 'no picture of a known format' : `a ${found}`;
    const message = `The file is ${what}, not ${declared}.`;
    throw refusal(422, 'asset.file.content_mismatch', message, ['Content-Type'], { declared, found });
  }
  // Imported only here: the catalogue starts sooner without it.
  const { default: sharp } = await import('sharp');
  // Its cache would keep the decoder buffers of the last hundred pictures.
  sharp.cache(false);
  const options = { failOn: 'error', limitInputPixels: maxPixelsOfAll, sequentialRead: true } as const;
  try {
    const { autoOrient, pages = 1 } = await sharp(staged.path, options).metadata();
    // Shrunk frame by frame, which fails for a file that can't be decoded to its end.
    const decode = () =>
      sharp(staged.path, { ...options, animated: true })
        .resize(8, 8, { fit: 'fill' })
        .raw()
        .toBuffer();
    await (autoOrient.width * autoOrient.height > manyPixels ? decodeInTurn(decode) : decode());
    return { format, width: autoOrient.width, height: autoOrient.height, frames: pages };
  } catch (error) {
    // sharp reports a broken picture with an Error without a code; a missing file is a defect.
    if (!(error instanceof Error) || 'code' in error || /missing/i.test(error.message)) throw error;
    throw refusal(422, 'asset.file.undecodable', 'The file is damaged: it can not be decoded to its end.');
  }
}

/** Larger pictures may take more than a hundred megabytes while they are decoded. */
const manyPixels = 12_000_000;

let lastDecoding: Promise<unknown> = Promise.resolve();

/** Runs one at a time, in the order of the calls. */
function decodeInTurn<T>(work: () => Promise<T>): Promise<T> {
  const mine = lastDecoding.then(work, work);
  lastDecoding = mine;
  return mine;
}

/** By the first bytes of the file; null for any other format. */
function formatOf(head: Buffer): Format | null {
  const has = (bytes: string, at = 0) =>
    head.subarray(at, at + bytes.length).equals(Buffer.from(bytes, 'latin1'));
  if (has('\x89PNG\r\n\x1a\n')) return 'png';
  if (has('\xff\xd8\xff')) return 'jpeg';
  if (has('GIF87a') || has('GIF89a')) return 'gif';
  if (has('RIFF') && has('WEBP', 8)) return 'webp';
  return null;
}

/**
 * Requires a picture to suit the slot.
 * @throws ProtectedError 422 that says what it is and what it must be.
 */
export function requireFit({ width, height, frames }: InspectedPicture, slot: string): void {
  // Another slot is refused before its file is read.
  if (!isSlot(slot)) throw new TypeError(`There are no limits for the slot ${slot}.`);
  const { ratios, minWidth } = slots[slot];
  if (width < minWidth || Math.max(width, height) > maxEdge || width * height > maxPixels) {
    const message = `A ${slot} must be at least ${minWidth} pixels wide, and at most ${maxEdge} either way.`;
    const bounds = { minWidth, maxEdge, maxPixels };
    throw refusal(422, 'asset.file.dimensions', message, undefined, { width, height, ...bounds });
  }
  const ratio = width / height;
  if (ratios !== null && !ratios.some((wanted) => Math.abs(ratio / wanted - 1) <= ratioTolerance)) {
    const message = `${width} × ${height} is not the shape of a ${slot}.`;
    const wanted = { expectedRatios: ratios, tolerance: ratioTolerance };
    throw refusal(422, 'asset.file.ratio', message, undefined, { width, height, ratio, ...wanted });
  }
  if (frames > maxFrames) {
    const message = `The file has more than ${maxFrames} frames.`;
    throw refusal(422, 'asset.file.frames', message, undefined, { frames, maxFrames });
  }
}
