import {
  type CatalogueImage,
  type EncodedPicture,
  imageType,
  isDecodingTimeout,
  openEncoded,
} from './decoding.ts';
import { chunksOf, memoryWithin } from './chunks.ts';
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
  /** Its first frame has one colour, or none, all over; false also where its pixels were not looked at. */
  readonly blank: boolean;
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
  await file.requireUnchanged();
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
    const seen = tooLarge === null ? await decodeWhole(picture) : { undecoded: tooLarge, blank: false };
    return { width, height, rotated, frames, alpha, cutShort, ...seen };
  } catch (error) {
    // The decoder's words stay out: they can quote the file.
    const name = mediaType.slice('image/'.length).toUpperCase();
    throw refusedFileError('damaged', `This ${name} is damaged: it can't be decoded. Export it again.`, {
      cause: error,
    });
  }
}

async function decodeWhole({
  decode: session,
}: Pick<EncodedPicture, 'decode'>): Promise<Pick<PictureShape, 'undecoded' | 'blank'>> {
  try {
    // A few pixels made from all of them: everything is decoded, little is kept.
    const { data, info } = await session((picture) =>
      picture
        .resize({ width: glance, height: glance, fit: 'inside', withoutEnlargement: true })
        .ensureAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true }),
    );
    return { undecoded: null, blank: isBlank(data, info.channels) };
  } catch (error) {
    if (!isDecodingTimeout(error)) throw error;
    return { undecoded: 'takes too long to decode', blank: false };
  }
}

/** Pixels a side that are enough to see whether anything is on a picture; all of it is decoded for them. */
export const glance = 256;

/** Goes on after "the picture". */
export const blankWords = 'is blank: it has one colour, or none, all over';

/**
 * Whether nothing is on a picture.
 * @param channels of the raw pixels, 8 bits each; of 2 and 4 the last one is transparency
 */
export function isBlank(data: Buffer, channels: number): boolean {
  if (channels % 2 === 0 && isInvisible(data, channels)) return true;
  for (let at = channels; at < data.length; at += 1) {
    if (Math.abs((data[at] ?? 0) - (data[at % channels] ?? 0)) > unseen) return false;
  }
  return true;
}

/** If two shades differ by no more, they look the same. Scaling and encoding leave such shades in a plain picture. */
const unseen = 2;

function isInvisible(pixels: Buffer, channels: number): boolean {
  for (let at = channels - 1; at < pixels.length; at += channels) if (pixels[at] !== 0) return false;
  return true;
}

/** Something to look at before sending. The service decides; a warning never stops anything. */
export interface FileWarning {
  readonly code: WarningCode;
  readonly message: string;
}

type WarningCode =
  | 'too_large'
  | 'unusual_ratio'
  | 'small'
  | 'no_transparency'
  | 'animated'
  | 'rotated'
  | 'cut_short'
  | 'blank'
  | 'not_decoded'
  | 'type_differs_from_name';

/** What the interface document's example of `asset.file.maxSize` tells (Errors). */
const exampleMaxBytes = 20_971_520;

interface Upload {
  /** Of the file on this machine. */
  readonly name: string;
  readonly contentType: MediaType;
  /** Bytes. */
  readonly length: number;
  /** Null where it was not decoded. */
  readonly picture: PictureShape | null;
  /** What it is for, in a person's words, and what pictures for it usually look like; null where that is not known. */
  readonly slot: string;
  readonly usual: SlotShape | null;
  /** `details.maxBytes` of an earlier refusal (`asset.file.maxSize`), null where there was none. */
  readonly maxBytes: number | null;
}

/** What a person would want to know of a picture before it is uploaded: its size, its shape, its name. */
export function warningsOfPicture(upload: Upload): FileWarning[] {
  return [...aboutSize(upload), ...aboutPicture(upload), ...aboutName(upload)];
}

function aboutSize({ length, maxBytes }: Upload): FileWarning[] {
  const most = maxBytes ?? exampleMaxBytes;
  if (length <= most) return [];
  const limit =
    maxBytes === null
      ? `${most} bytes, the limit that the interface document shows in an example`
      : `${most} bytes, the limit that the service named`;
  return [warning('too_large', `The file has ${length} bytes, more than ${limit}: it may be refused.`)];
}

function aboutPicture({ picture, slot, usual }: Upload): FileWarning[] {
  if (picture === null) {
    return [warning('not_decoded', 'The file is too large to be decoded here: it was not looked at.')];
  }
  const { width, height, frames, alpha, rotated, cutShort, blank, undecoded } = picture;
  const warnings: FileWarning[] = [];
  if (undecoded !== null) {
    const message = `The picture ${undecoded}: only its header was read, so whether it is whole is not known.`;
    warnings.push(warning('not_decoded', message));
  }
  if (usual !== null && !hasRatioOfSlot(width, height, usual)) {
    const message = `The picture is ${width}×${height}; pictures for ${slot} are usually ${usual.ratios.join(' or ')}.`;
    // Interface document, Single-Asset upload: the service validates dimensions, and which ones is not shown.
    const other = hasOtherOrientation(width, height, usual)
      ? ' Its orientation is another, which the service may refuse.'
      : '';
    warnings.push(warning('unusual_ratio', message + other));
  }
  if (usual !== null && width < usual.minWidth) {
    const message = `The picture is ${width}×${height}; pictures for ${slot} are usually at least ${usual.minWidth} wide.`;
    warnings.push(warning('small', message));
  }
  if (usual?.transparent && !alpha) {
    warnings.push(
      warning('no_transparency', `The picture has no transparency, which a ${slot} usually has.`),
    );
  }
  if (frames > 1) warnings.push(warning('animated', `The picture is animated: it has ${frames} frames.`));
  if (rotated) {
    const message = `The picture is shown turned by a mark in the file, as ${width}×${height}: where the mark is not followed it lies on its side. Export it upright.`;
    warnings.push(warning('rotated', message));
  }
  if (cutShort) {
    const message = 'The file ends in the middle of its picture: it may be an unfinished copy.';
    warnings.push(warning('cut_short', message));
  }
  if (blank) {
    const what = frames > 1 ? 'The first frame of the picture' : 'The picture';
    warnings.push(warning('blank', `${what} ${blankWords}. Look at it before it is sent.`));
  }
  return warnings;
}

const endings: Readonly<Record<string, MediaType>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
};

function aboutName({ contentType, name }: Upload): FileWarning[] {
  const ending = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  const said = endings[ending];
  if (said === undefined || said === contentType) return [];
  return [warning('type_differs_from_name', `The name ends in .${ending}, but the file is ${contentType}.`)];
}

function warning(code: WarningCode, message: string): FileWarning {
  return { code, message };
}

/** What pictures of a slot usually look like. The service's own limits are not shown: all of this is advice. */
export interface SlotShape {
  /** Width to height, `2:3`; more than one where several are common, none where it is free. */
  readonly ratios: readonly string[];
  /** Pixels of the smallest common width; 0 where there is none. */
  readonly minWidth: number;
  /** It is laid over other pictures. */
  readonly transparent?: boolean;
}

type Lie = 'upright' | 'square' | 'wide';

function lieOf(ratio: number): Lie {
  return ratio < 0.9 ? 'upright' : ratio > 1.1 ? 'wide' : 'square';
}

/** Whether a picture is upright, square or wide where those of the slot are none of that: then it is hardly one. */
export function hasOtherOrientation(width: number, height: number, { ratios }: SlotShape): boolean {
  const own = lieOf(width / height);
  return ratios.length > 0 && ratios.every((ratio) => lieOf(asNumber(ratio)) !== own);
}

function asNumber(ratio: string): number {
  const [w = 1, h = 1] = ratio.split(':').map(Number);
  return w / h;
}

/** Relative: pictures that were cropped by hand are a few pixels off. */
const tolerance = 0.02;

/** Whether a picture has a ratio that is usual in its slot. */
export function hasRatioOfSlot(width: number, height: number, { ratios }: SlotShape): boolean {
  if (ratios.length === 0) return true;
  return ratios.some((ratio) => Math.abs(width / height / asNumber(ratio) - 1) <= tolerance);
}
