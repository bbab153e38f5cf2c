import { ArtworkError } from '../errors.ts';
import { type Encoded, type ImageFormat, isAlphaOf, isDecodingTimeout, openEncoded } from './decode.ts';
import type { OpenFile } from './open-file.ts';
import { refusedFile } from './refusal.ts';

/** What a picture is, by its header and its pixels. */
export interface PictureFacts extends Omit<Encoded, 'decode' | 'tooLarge' | 'alpha'> {
  /** Something shines through. Where its pixels were not looked at, it has a channel for that. */
  readonly transparent: boolean;
  /** It has one colour, or none, all over; false also where its pixels were not looked at. */
  readonly blank: boolean;
  /** A PNG with frames, which no program has to show. */
  readonly animatedPng: boolean;
  /** A GIF that ends in the middle: it can be decoded all the same. */
  readonly cutShort: boolean;
  /** Why its pixels were not looked at, as a sentence's end; null: they were. */
  readonly undecoded: string | null;
}

/**
 * Decodes a picture once, so that what is damaged is never uploaded. Of an animation it is the first frame.
 * @throws ArtworkError `upload_refused` (`damaged`)
 */
export async function lookAtPicture(file: OpenFile, format: ImageFormat): Promise<PictureFacts> {
  try {
    const { decode, tooLarge, alpha, ...header } = await openEncoded(file.direct, 0, 'refused');
    const cutShort = format === 'gif' && !(await endsAsGif(file));
    const animatedPng = format === 'png' && (await isAnimatedPng(file));
    const facts = { ...header, cutShort, animatedPng };
    const unseen = (undecoded: string) => ({ ...facts, undecoded, blank: false, transparent: alpha });
    if (tooLarge !== null) return unseen(tooLarge);
    // A few pixels made from all of them: everything is decoded, little is kept.
    const raster = await decode({ width: glance, height: glance }).catch(orTimeout);
    if (raster === null) return unseen('takes too long to decode');
    const { data, channels } = raster;
    return { ...facts, undecoded: null, blank: isBlank(data, channels), transparent: channels === 4 };
  } catch (error) {
    if (error instanceof ArtworkError) throw error;
    // The decoder's words stay out: they can quote the file.
    const message = `This ${format.toUpperCase()} is damaged: it can't be decoded. Export it again.`;
    throw refusedFile('damaged', message, { cause: error });
  }
}

function orTimeout(error: unknown): null {
  if (isDecodingTimeout(error)) return null;
  throw error;
}

async function endsAsGif(file: OpenFile): Promise<boolean> {
  const end = Buffer.alloc(1);
  await file.readAt(file.length - 1, end);
  return end[0] === 0x3b;
}

/** The chunk that announces frames stands before the pixels, among few others. */
async function isAnimatedPng(file: OpenFile): Promise<boolean> {
  const head = Buffer.alloc(8);
  for (let [at, chunks] = [8, 0]; chunks < 1_000; at += 12 + head.readUInt32BE(0), chunks += 1) {
    await file.readAt(at, head);
    const name = head.toString('latin1', 4);
    if (name === 'acTL' || name === 'IDAT') return name === 'acTL';
  }
  return false;
}

/** Pixels a side that are enough to see whether anything is on a picture; all of it is decoded for them. */
export const glance = 256;

/** Goes on after "the picture". */
export const blankWords = 'is blank: it has only one colour, or is transparent all over';

/**
 * Whether nothing is on a picture.
 * @param channels of the raw pixels, 8 bits each; the fourth is transparency
 */
export function isBlank(data: Buffer, channels: 3 | 4): boolean {
  if (channels === 4 && isAlphaOf(data, 0)) return true;
  for (let at = channels; at < data.length; at += 1) {
    if (Math.abs((data[at] ?? 0) - (data[at % channels] ?? 0)) > unseen) return false;
  }
  return true;
}

/** If two shades differ by no more, they look the same. Scaling and encoding leave such shades in a plain picture. */
const unseen = 2;

/** What pictures of a slot usually look like. The service's own limits are not shown: all of this is advice. */
export interface SlotShape {
  /** Width to height, `2:3`; more than one where several are common, none where it is free. */
  readonly ratios: readonly string[];
  /** Pixels of the smallest common width; 0 where there is none. */
  readonly minWidth: number;
  /** It is laid over other pictures. */
  readonly transparent?: boolean;
}

/** Relative: pictures that were cropped by hand are a few pixels off. */
const tolerance = 0.02;

/** Whether a picture has a ratio that is usual in its slot. */
export function hasRatioOfSlot(width: number, height: number, { ratios }: SlotShape): boolean {
  return (
    ratios.length === 0 || ratios.some((ratio) => Math.abs(width / height / asNumber(ratio) - 1) <= tolerance)
  );
}

/** Whether a picture is upright, square or wide where those of the slot are none of that: then it is hardly one. */
export function hasOtherOrientation(width: number, height: number, { ratios }: SlotShape): boolean {
  const own = lieOf(width / height);
  return ratios.length > 0 && ratios.every((ratio) => lieOf(asNumber(ratio)) !== own);
}

function lieOf(ratio: number): 'upright' | 'square' | 'wide' {
  return ratio < 0.9 ? 'upright' : ratio > 1.1 ? 'wide' : 'square';
}

function asNumber(ratio: string): number {
  const [width = 1, height = 1] = ratio.split(':').map(Number);
  return width / height;
}

/** Something to look at before sending. The service decides; a warning never stops anything. */
export interface FileWarning {
  readonly code: string;
  readonly message: string;
}

/** What a file is meant for. */
export interface Purpose {
  /** In a person's words. */
  readonly slot: string;
  /** What pictures for it usually look like; null where that is not known. */
  readonly usual: SlotShape | null;
}

/** What a person would want to know of a picture before it is sent. */
export function warningsOfPicture(picture: PictureFacts, { slot, usual }: Purpose): FileWarning[] {
  const { width, height, frames, undecoded } = picture;
  const told: FileWarning[] = [];
  const warn = (code: string, message: string) => told.push({ code, message });
  const usually = `The picture is ${width}×${height}; a usual ${slot} is`;
  if (undecoded !== null) warn('not_decoded', `The picture ${undecoded}, so it may be damaged.`);
  if (usual !== null && !hasRatioOfSlot(width, height, usual)) {
    // Interface document, Single-Asset upload: the service validates dimensions, and which ones is not shown.
    const isOther = hasOtherOrientation(width, height, usual);
    const other = isOther ? ' Its orientation differs, so the service may refuse it.' : '';
    warn('unusual_ratio', `${usually} ${usual.ratios.join(' or ')}.${other}`);
  }
  if (usual !== null && width < usual.minWidth) warn('small', `${usually} at least ${usual.minWidth} wide.`);
  if (usual?.transparent && !picture.transparent)
    warn('no_transparency', `The picture has no transparent part, and a usual ${slot} has.`);
  if (frames > 1)
    warn(
      'animated',
      `Unless another is chosen, its preview shows frame 0 of ${frames}. select_preview_frame chooses one.`,
    );
  if (picture.animatedPng)
    warn('animated', 'This PNG is animated: most programs show its first frame alone.');
  if (picture.cmyk)
    warn('cmyk', 'Its colours are for print (CMYK), and screens show them differently. Export it in sRGB.');
  if (picture.rotated)
    warn(
      'rotated',
      `A mark in the file turns the picture to ${width}×${height}, and some programs ignore it. Export it upright.`,
    );
  if (picture.cutShort)
    warn('cut_short', 'The file ends in the middle of its picture, so it may be an unfinished copy.');
  if (picture.blank) warn('blank', `The picture ${blankWords}. Look at it before it is sent.`);
  return told;
}
