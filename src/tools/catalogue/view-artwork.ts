import { z } from 'zod';
import { createPlanStore } from '../../curation/plan/store.ts';
import {
  type Found,
  type Lacking,
  type Picture,
  type Withheld,
  withShortNames,
} from '../../curation/show/found.ts';
import type { FoundOf } from '../../curation/show/gallery.ts';
import type { DecodedPicture, EncodedImage } from '../../curation/show/picture.ts';
import type { ReadPicture } from '../../curation/show/save.ts';
import { ArtworkError, type Next } from '../../errors.ts';
import type { Box } from '../../files/decode.ts';
import { mapLimit } from '../../map-limit.ts';
import { integerWithin, type OmittedSection, pageArgument, paging } from '../../mcp/arguments.ts';
import type { Context } from '../../mcp/context.ts';
import { readCursor, writeCursor } from '../../mcp/pages.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';
import { slotsWords, slotWords } from '../../model/slots.ts';
import { answerOf, readAnswer } from '../answer.ts';
import type { Shelf } from '../shelf.ts';
import { artworkItem, lookFor, notVisible, readChosen, readingMs } from './pictures.ts';

const input = z.strictObject({
  items: z.array(artworkItem).min(1).max(24).describe('each kind and id, assetId, path, url or file'),
  planId: z.uuid().optional().describe('of plan_set'),
  size: integerWithin(64, 1_600).optional().describe('width of a picture in pixels'),
  frames: z.boolean().optional().describe('true: the frames of one animated picture, from frame 0'),
  cursor: paging.cursor,
  page: pageArgument,
});
type Args = z.output<typeof input>;

const mostPictures = 24;
const parallelReads = 4;

export const viewArtwork = defineTool({
  name: 'view_artwork',
  title: 'View pictures, compare them side by side',
  toolset: 'catalogue',
  description: `View pictures: see a ${slotWords('poster')}, or compare ${slotsWords('poster')}, ${slotsWords('titlecard')}, ${slotsWords('logo')} or ${slotsWords('backdrop')} side by side on one numbered sheet; also files before an upload. 24 at once, then the cursor. New pictures may take some seconds to show.`,
  searchHint:
    'show look at display preview image images photo comparison next to each other background cover thumb icon contact sheet gallery grid tv series movie frame animated what does it look like',
  alwaysLoad: true,
  annotations: readOnly,
  input,
  output: readAnswer,
  pictures: true,
  async run(args, context) {
    const isFrames = args.frames === true;
    // The page shows everything that was asked for: one is enough for all answers to it.
    const wantsPage = args.page === true && args.cursor === undefined;
    const shelf = wantsPage ? await (await import('../shelf.ts')).openShelf(context) : null;
    const plan = args.planId === undefined ? null : await planOf(args.planId, context);
    const looking = { among: args.items.length > 1, plan, context };
    const asked = await mapLimit(args.items, parallelReads, (one) => lookFor(one, looking));
    const source = createSource(context);
    const all = withShortNames(asked.flatMap(({ found }) => found));
    const found = isFrames ? await framesOf(all, source) : all;
    const first = readCursor('view_artwork', args, z.int().min(0)) ?? 0;
    const shown = found.slice(first, first + mostPictures);
    const end = first + shown.length;
    const nextCursor = end < found.length ? writeCursor('view_artwork', args, end) : null;
    context.shownPaths.learn(shown.map((one) => ('ref' in one && one.file === undefined ? one.ref : null)));

    const size = args.size ?? (shown.length === 1 ? 768 : 256);
    let done = 0;
    const looks = await mapLimit(await withBoxes(shown, size), parallelReads, async ({ one, box }) => {
      const look = await lookAt(one, { box, args, source, context });
      done += 1;
      await context.progress(done, shown.length, 'pictures read');
      return look;
    });
    // Frames are counted from 0, as the service counts them.
    const firstNumber = isFrames ? first : first + 1;
    const badges = looks.map((look, at) => (isFrames ? look.label : String(firstNumber + at)));
    const sheet = await imageOf(looks, { badges, size, png: shelf !== null });
    const sections = isFrames ? asked.map((one) => ({ ...one, found })) : asked;
    const page = shelf === null ? null : await savePageOf(sections, shelf, source, sheet?.png ?? null);
    const next = looks.flatMap((look) => ('error' in look ? (look.error.next ?? []) : []))[0];
    return {
      ...answerOf({
        data: looks.map((look, at) => described(look, firstNumber + at, isFrames)),
        omitted: omittedOf(found, shown, args, nextCursor),
        nextCursor,
        page: page?.uri,
        frames: isFrames ? framesWords : undefined,
        warnings: page?.late,
        next: next ?? (page !== null && page.late.length > 0 ? again(args) : undefined),
      }),
      images: sheet === null ? [] : [{ bytes: sheet.image.bytes, mimeType: sheet.image.contentType }],
    };
  },
});

const framesWords =
  'Frames count from 0: the first one is frame 0. select_preview_frame takes that number as selectedSourceFrame.';

async function planOf(planId: string, context: Context) {
  const { records } = await context.account();
  return createPlanStore(await records('plans')).find(planId);
}

type Source = (picture: Picture) => Promise<ReadPicture>;

/** What a call keeps of what it has read. Bytes. */
const mostKept = 64 * 1024 * 1024;

/** Pictures, each read once in a call as far as they can be kept: for a sheet, for its page, for its frames. */
function createSource(context: Context): Source {
  const kept = new Map<string, ReadPicture>();
  let room = mostKept;
  return async (picture) => {
    const known = kept.get(picture.ref);
    if (known !== undefined) return { ...known, frame: picture.frame ?? known.frame };
    const read = await readChosen(picture, context);
    room -= read.bytes.length;
    if (room >= 0) kept.set(picture.ref, read);
    return read;
  };
}

/** The frames of the one picture that was asked for. @throws ArtworkError `invalid_arguments` where it is no animation */
async function framesOf(found: readonly Found[], source: Source): Promise<Found[]> {
  const [only, ...others] = found;
  if (only === undefined || others.length > 0 || !('ref' in only)) {
    if (only !== undefined && 'error' in only) throw only.error;
    throw new ArtworkError('invalid_arguments', 'frames takes one animated picture: name that one alone.');
  }
  const { bytes, frame: chosen } = await source(only);
  const { headerOf } = await import('../../curation/show/picture.ts');
  const { frames } = await headerOf(bytes);
  if (frames < 2)
    throw new ArtworkError('invalid_arguments', 'This picture is not animated: leave frames out.');
  return Array.from({ length: frames }, (_, frame) => {
    return { ...only, frame, label: `frame ${frame}`, note: frame === chosen ? 'shown now' : undefined };
  });
}

/** What became of what was found. */
type Look = (Picture & { readonly decoded: DecodedPicture }) | Withheld | Lacking;

/** Each with what it is decoded to. */
async function withBoxes(shown: readonly Found[], size: number) {
  const alone = { width: size, height: size * 2 };
  if (shown.length === 1) return shown.map((one) => ({ one, box: alone }));
  const [{ boxesFor }, { usualRatio }] = await Promise.all([
    import('../../curation/show/sheet.ts'),
    import('../../curation/show/page.ts'),
  ]);
  const usual = shown.map((one) => ('slot' in one && one.slot !== undefined ? usualRatio(one.slot) : null));
  const boxes = boxesFor(usual, size);
  return shown.map((one, at) => ({ one, box: boxes[at] ?? alone }));
}

interface LookingAt {
  readonly box: Box;
  readonly args: Args;
  readonly source: Source;
  readonly context: Context;
}

async function lookAt(found: Found, { box, args, source, context }: LookingAt): Promise<Look> {
  if (!('ref' in found)) return found;
  const { label } = found;
  try {
    const { bytes, frame } = await source(found);
    const { decodePicture } = await import('../../curation/show/picture.ts');
    return { ...found, decoded: await decodePicture(bytes, box, frame) };
  } catch (error) {
    if (!(error instanceof ArtworkError) || error.failure === 'cancelled') throw error;
    if (found.isPending === true && error.failure === 'not_found')
      return { label, error: notVisible().leadingTo(again(args)) };
    if (error.failure !== 'network' || readingMs(context) > 0) return { label, error };
    const late = new ArtworkError('network', 'There was no time for this picture.', { code: lateCode });
    return { label, error: late.leadingTo(again(args)) };
  }
}

/** Of the error of a picture that there was no time for. */
const lateCode = 'not_read_in_time';

function again(args: Args): Next {
  const why = 'Make the same call again: pictures that were slow or are new are usually there now.';
  return { tool: 'view_artwork', arguments: args, why };
}

interface Sheet {
  readonly image: EncodedImage;
  /** To lie beside the page. */
  readonly png: Buffer | null;
}

/** One picture by itself; several as one sheet, with what is missing or can't be shown in its place. Null for none. */
async function imageOf(
  looks: readonly Look[],
  { badges, size, png }: { readonly badges: readonly string[]; readonly size: number; readonly png: boolean },
): Promise<Sheet | null> {
  const [only] = looks;
  if (!looks.some((look) => 'decoded' in look)) return null;
  const { contactSheet, imageBudget } = await import('../../curation/show/sheet.ts');
  if (looks.length === 1 && only !== undefined && 'decoded' in only) {
    const { encodeWithin } = await import('../../curation/show/picture.ts');
    return { image: await encodeWithin(only.decoded.raster, imageBudget), png: null };
  }
  const { usualRatio } = await import('../../curation/show/page.ts');
  const items = looks.map((look, at) => {
    const badge = badges[at] ?? '';
    // A frame is named in its corner: beneath it would stand the same.
    const common = { badge, label: look.label === badge ? '' : look.label };
    if ('decoded' in look) return { ...common, raster: look.decoded.raster, note: look.note };
    const isGap = 'missing' in look;
    const ratio = usualRatio(isGap ? look.slot : 'titlecard');
    return { ...common, raster: null, isGap, words: wordsIn(look), ratio };
  });
  return contactSheet(items, { size, png });
}

function wordsIn(look: Withheld | Lacking): string {
  if ('missing' in look) return look.missing === 1 ? 'missing' : `${look.missing} missing`;
  if (look.error.code === lateCode) return 'not read in time';
  return look.error.code === 'not_published' ? 'not visible yet' : 'not shown';
}

/** Everything that was asked for, however many pictures the answer itself shows; null where there is nothing to see. */
async function savePageOf(asked: readonly FoundOf[], shelf: Shelf, source: Source, sheet: Buffer | null) {
  const pictures = asked.flatMap(({ found }) => found.flatMap((one) => ('ref' in one ? [one] : [])));
  if (pictures.length === 0) return null;
  const { galleryOf, keyOfPicture } = await import('../../curation/show/gallery.ts');
  const byKey = new Map(pictures.map((one) => [keyOfPicture(one), one]));
  const read = async (key: string) => {
    const picture = byKey.get(key);
    if (picture === undefined) throw new TypeError(`The page asks for ${key}.`);
    return source(picture);
  };
  return shelf.save(galleryOf(asked), read, sheet);
}

/** What one picture of a sheet is, as data for a model. */
function described(look: Look, number: number, isFrame: boolean): Record<string, unknown> {
  const { label } = look;
  if ('missing' in look) return { number, label, missing: look.missing };
  if ('error' in look) {
    const { code, failure, message } = look.error;
    return { number, label, error: { code, category: failure, message } };
  }
  const { note, ref, assetId, decoded } = look;
  const common = { number, label, ...(note === undefined ? {} : { note }) };
  if (isFrame) return { label, selectedSourceFrame: number, ...(note === undefined ? {} : { note }) };
  return { ...common, ref, ...(assetId === undefined ? {} : { assetId }), original: decoded.original };
}

/** Pictures that this answer does not show, and others of a slot for which one stands. A gap counts as no picture. */
function omittedOf(
  found: readonly Found[],
  shown: readonly Found[],
  args: Args,
  nextCursor: string | null,
): OmittedSection[] {
  const isFrames = args.frames === true;
  const others = shown.flatMap((one): OmittedSection[] => {
    if (!('others' in one) || one.others === undefined || isFrames) return [];
    const { total, returned, ...item } = one.others;
    const next = { tool: 'view_artwork', arguments: { items: [item] } };
    return [{ section: `assets.${item.slot}`, total, returned, next }];
  });
  if (nextCursor === null && shown.length === found.length) return others;
  const count = (some: readonly Found[]) => some.filter((one) => !('missing' in one)).length;
  const next =
    nextCursor === null ? null : { tool: 'view_artwork', arguments: { ...args, cursor: nextCursor } };
  const section = isFrames ? 'frames' : 'pictures';
  return [{ section, total: count(found), returned: count(shown), next }, ...others];
}
