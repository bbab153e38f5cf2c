import type { Found, Lacking, Picture, Withheld } from '../../curation/show/found.ts';
import { usualRatio } from '../../curation/show/page.ts';
import {
  type DecodedPicture,
  decodePicture,
  type EncodedImage,
  encodeWithin,
  headerOf,
} from '../../curation/show/picture.ts';
import type { ReadPicture } from '../../curation/show/save.ts';
import { boxesFor, contactSheet, imageBudget } from '../../curation/show/sheet.ts';
import { noLaterThan } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import { contentOf } from '../../files/content.ts';
import { type Box, imageFormat } from '../../files/decode.ts';
import { openFile } from '../../files/open-file.ts';
import { refusedFile } from '../../files/refusal.ts';
import { mapLimit } from '../../map-limit.ts';
import type { Context } from '../../mcp/context.ts';
import { findOwnAsset, frameOf, unseen } from './pictures.ts';

// Pictures are read, decoded and drawn. It loads the decoder, so it is loaded itself once there is something to see.

/** Milliseconds of a call that are left for the sheet, the page and the answer. */
const reserveMs = 5_000;

/**
 * The bytes of a picture, and the frame that stands for it: of an animated one of one's own the chosen one.
 * @throws ArtworkError where it can't be read, or is none
 */
export async function readChosen(picture: Picture, context: Context): Promise<ReadPicture> {
  const { ref, file, seenIn, frame, assetId } = picture;
  const bytes =
    file === undefined
      ? (await context.catalogue.fetchImage(ref, readingTime(context), seenIn)).bytes
      : await readLocalPicture(file, context);
  // Of all animated pictures only these are read frame by frame.
  const mayMove = ['webp', 'gif'].includes(imageFormat(bytes) ?? '');
  const isOpen = frame === undefined && assetId !== undefined && mayMove;
  if (!isOpen || (await headerOf(bytes)).frames < 2) return { bytes, frame: frame ?? 0 };
  return { bytes, frame: frameOf(await findOwnAsset(assetId, context)) ?? 0 };
}

function readingTime({ deadline }: Context) {
  return noLaterThan(deadline, Math.max(0, deadline.left() - reserveMs));
}

/** As much as of a picture of the catalogue. Bytes. */
const mostBytes = 32 * 1024 * 1024;

/**
 * The bytes of a picture on this machine, to be shown: only from folders that are open for uploads.
 * @throws ArtworkError `invalid_arguments`, `upload_refused`, `cancelled`
 */
async function readLocalPicture(file: string, { settings, roots, signal }: Context): Promise<Buffer> {
  const opened = await openFile(file, { configured: settings.uploadRoots, host: await roots() });
  try {
    const { length } = opened;
    if (length > mostBytes) {
      throw refusedFile('unreadable', `The file has ${length} bytes; at most ${mostBytes} are shown.`);
    }
    const chunks: Buffer[] = [];
    await contentOf(opened, { signal }, async (chunk) => void chunks.push(Buffer.from(chunk)));
    return Buffer.concat(chunks);
  } finally {
    await opened.close();
  }
}

export type Source = (picture: Picture) => Promise<ReadPicture>;

/** What a call keeps of what it has read. Bytes. */
const mostKept = 64 * 1024 * 1024;

/** Pictures, each read once in a call as far as they can be kept: for a sheet, for its page, for its frames. */
export function createSource(context: Context): Source {
  const kept = new Map<string, ReadPicture>();
  let room = mostKept;
  return async (picture) => {
    const known = kept.get(picture.ref);
    const read = known ?? (await readChosen(picture, context));
    if (known === undefined) room -= read.bytes.length;
    if (room >= 0) kept.set(picture.ref, read);
    return { ...read, frame: picture.frame ?? read.frame };
  };
}

/** The frames of the one picture that was asked for. @throws ArtworkError `invalid_arguments` where it is no animation */
export async function framesOf(found: readonly Found[], source: Source): Promise<Picture[]> {
  const [only, ...others] = found;
  if (only !== undefined && 'error' in only && others.length === 0) throw only.error;
  if (only === undefined || others.length > 0 || !('ref' in only))
    throw new ArtworkError('invalid_arguments', 'frames takes one animated picture: name that one alone.');
  const { bytes, frame: chosen } = await source(only);
  const { frames } = await headerOf(bytes);
  if (frames < 2)
    throw new ArtworkError('invalid_arguments', 'This picture is not animated: leave frames out.');
  return Array.from({ length: frames }, (_, frame) => {
    // What a file shows first is not shown anywhere yet.
    const shown = only.file === undefined ? 'shown now' : 'first shown';
    return { ...only, frame, label: `frame ${frame}`, note: frame === chosen ? shown : undefined };
  });
}

/** What became of what was found. */
export type Look = (Picture & { readonly decoded: DecodedPicture }) | Withheld | Lacking;

/** Pictures that are read at a time. */
const few = 4;

/**
 * Reads and decodes what was found, for an image on which pictures are about so wide. What can't be shown is its failure.
 * @param size pixels
 * @throws ArtworkError `cancelled` alone
 */
export async function looksOf(
  shown: readonly Found[],
  size: number,
  source: Source,
  context: Context,
): Promise<Look[]> {
  const alone = { width: size, height: size * 2 };
  const usual = shown.map((one) => ('slot' in one && one.slot !== undefined ? usualRatio(one.slot) : null));
  const boxes = shown.length === 1 ? [alone] : boxesFor(usual, size);
  const boxed = shown.map((found, at) => ({ found, box: boxes[at] ?? alone }));
  let done = 0;
  return mapLimit(boxed, few, async ({ found, box }) => {
    const look = 'ref' in found ? await lookAt(found, box, source) : found;
    done += 1;
    await context.progress(done, shown.length, 'pictures read');
    return look;
  });
}

async function lookAt(found: Picture, box: Box, source: Source): Promise<Look> {
  try {
    const { bytes, frame } = await source(found);
    return { ...found, decoded: await decodePicture(bytes, box, frame) };
  } catch (error) {
    if (!(error instanceof ArtworkError) || error.failure === 'cancelled') throw error;
    const isNew = found.isPending === true && error.failure === 'not_found';
    return { label: found.label, titled: found.titled, error: isNew ? unseen(true) : error };
  }
}

interface Drawn {
  readonly image: EncodedImage;
  /** The sheet without a loss, where it is to lie beside a page. */
  readonly png: Buffer | null;
}

/**
 * One picture by itself; several as one sheet, with what is missing or can't be shown in its place. Null for none.
 * @param badges what stands in the corners of a sheet
 */
export async function draw(
  looks: readonly Look[],
  badges: readonly string[],
  { size, png }: { readonly size: number; readonly png: boolean },
): Promise<Drawn | null> {
  const [only] = looks;
  if (!looks.some((look) => 'decoded' in look)) return null;
  if (looks.length === 1 && only !== undefined && 'decoded' in only)
    return { image: await encodeWithin(only.decoded.raster, imageBudget), png: null };
  const items = looks.map((look, at) => {
    const badge = badges[at] ?? '';
    // A frame is named in its corner: beneath it would stand the same.
    const common = { badge, label: look.label === badge ? '' : look.label };
    if ('decoded' in look) return { ...common, raster: look.decoded.raster, note: look.note };
    const absent = { ...common, raster: null };
    if ('error' in look) return { ...absent, words: 'not shown', ratio: usualRatio('titlecard') };
    const words = look.missing === 1 ? 'missing' : `${look.missing} missing`;
    return { ...absent, isGap: true, words, ratio: usualRatio(look.slot) };
  });
  return contactSheet(items, { size, png });
}
