import { z } from 'zod';
import type { Plan } from '../../curation/plan/plan.ts';
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
import type { ReadPicture, SavedPage } from '../../curation/show/save.ts';
import { ArtworkError, type Next } from '../../errors.ts';
import { mapLimit } from '../../map-limit.ts';
import { integerWithin, type OmittedSection, pageArgument, paging, readResult } from '../../mcp/arguments.ts';
import type { Context } from '../../mcp/context.ts';
import { readCursor, writeCursor } from '../../mcp/pages.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';
import { isKind } from '../../model/kinds.ts';
import { slotsWords, slotWords } from '../../model/slots.ts';
import type { Shelf } from '../answer-pages.ts';
import { type ArtworkItem, artworkItem, lookFor, notVisible, readChosen, readingMs } from './pictures.ts';

const input = z.strictObject({
  items: z.array(artworkItem).min(1).max(24).meta({
    description: 'each one of {kind,id,slot?}, {assetId}, {path}, {url}, {file}',
    brief: 'each kind and id, assetId, path, url or file',
  }),
  planId: z
    .uuid()
    .optional()
    .meta({ description: 'of plan_set, whose files are named as it shows them', brief: 'of plan_set' }),
  size: integerWithin(64, 1_600).optional().meta({
    description: 'width in pixels of a picture; default 768, on a sheet 256',
    brief: 'pixels',
  }),
  frames: z.boolean().optional().meta({
    description: 'true, with one animated picture: its frames, numbered as select_preview_frame takes them',
    brief: 'true: the frames of one animated picture',
  }),
  cursor: paging.cursor,
  page: pageArgument,
});

type Args = z.output<typeof input>;

const mostPictures = 24;
const parallelFetches = 4;

export const viewArtwork = defineTool({
  name: 'view_artwork',
  title: 'View pictures, compare them side by side',
  toolset: 'catalogue',
  description: `View pictures: see a ${slotWords('poster')}, or compare ${slotsWords('poster')}, ${slotsWords('titlecard')}, ${slotsWords('logo')} or ${slotsWords('backdrop')} side by side on one numbered sheet, also files before an upload. 24 at once, then the cursor. What was just made may show some seconds later.`,
  searchHint:
    'show see look at display preview picture pictures image images photo compare comparison side by next to each other together poster posters title card cards titlecard titlecards backdrop backdrops background cover covers logo logos thumb icon contact sheet gallery grid tv series movie film frame frames animated what does it like',
  alwaysLoad: true,
  annotations: readOnly,
  input,
  output: readResult.extend({ warnings: z.array(z.string()).optional(), next: z.unknown().optional() }),
  pictures: true,
  readsHostFolders: ({ items }) => items.some(({ file }) => file !== undefined),
  async run(args, context) {
    // The page shows everything that was asked for: one is enough for all answers to it.
    const wantsPage = args.page === true && args.cursor === undefined;
    const shelf = wantsPage ? await (await import('../answer-pages.ts')).openShelf(context) : null;
    const plan = args.planId === undefined ? null : await planOf(args.planId, context);
    const looking = { among: args.items.length > 1, plan, context };
    const asked = await mapLimit(args.items, parallelFetches, (one) => lookFor(one, looking));
    const source = createSource(context);
    const all = withShortNames(asked.flatMap(({ found }) => found));
    const found = args.frames === true ? await framesOf(all, source, context) : all;
    const first = readCursor('view_artwork', args, z.int().min(0)) ?? 0;
    const shown = found.slice(first, first + mostPictures);
    const end = first + shown.length;
    const nextCursor = end < found.length ? writeCursor('view_artwork', args, end) : null;
    const size = args.size ?? (shown.length === 1 ? 768 : 256);
    context.shownPaths.learn(shown.map((one) => ('ref' in one && one.file === undefined ? one.ref : null)));
    let done = 0;
    const looks = await mapLimit(shown, parallelFetches, async (one) => {
      const look = await lookAt(one, shown.length > 1 ? size : null, args, source, context);
      done += 1;
      await context.progress(done, shown.length, 'pictures read');
      return look;
    });
    // Frames are counted from 0, as the service counts them.
    const firstNumber = args.frames === true ? first : first + 1;
    const sheet = await imageOf(looks, { firstNumber, size, png: shelf !== null });
    const sections = args.frames === true ? asked.map((one) => ({ ...one, found })) : asked;
    const page = shelf === null ? null : await pageOf(sections, shelf, source, sheet?.png ?? null);
    const late = page === null ? null : (await import('../answer-pages.ts')).lateWords(page);
    const next = looks.flatMap((look) => ('error' in look ? (look.error.next ?? []) : []))[0];
    const warnings = [
      ...asked.flatMap(({ found: of }, at) => severalWords(args.items[at], of)),
      ...(late === null ? [] : [late]),
    ];
    return {
      structured: {
        data: looks.map((look, at) => describe(look, firstNumber + at, args.frames === true)),
        omitted: omittedPictures(found, shown, args, nextCursor),
        nextCursor,
        ...(warnings.length > 0 ? { warnings } : {}),
        ...(page === null ? {} : { page: page.uri }),
        ...(next === undefined ? (late === null ? {} : { next: again(args) }) : { next }),
      },
      images: sheet === null ? [] : [{ bytes: sheet.image.bytes, mimeType: sheet.image.contentType }],
    };
  },
});

async function planOf(planId: string, context: Context): Promise<Plan> {
  const { records } = await context.account();
  return (await createPlanStore(await records('plans')).find(planId)).plan;
}

type Source = ReturnType<typeof createSource>;

/** What a call keeps of what it has read. Bytes. */
const mostKept = 64 * 1024 * 1024;

/** Pictures, each read once in a call as far as they can be kept: for a sheet, and for its page. */
function createSource(context: Context) {
  const kept = new Map<string, ReadPicture>();
  let room = mostKept;
  return async (picture: Picture): Promise<ReadPicture> => {
    const known = kept.get(picture.ref);
    if (known !== undefined) return { ...known, frame: picture.frame ?? known.frame };
    const read = await readChosen(picture, context);
    room -= read.bytes.length;
    if (room >= 0) kept.set(picture.ref, read);
    return read;
  };
}

/**
 * The frames of the one picture that was asked for.
 * @throws ArtworkError `invalid_arguments` where there are several pictures, or it is a still one
 */
async function framesOf(found: readonly Found[], source: Source, context: Context): Promise<Found[]> {
  const [only, ...others] = found;
  if (only === undefined || others.length > 0 || !('ref' in only)) {
    if (only !== undefined && 'error' in only) throw only.error;
    throw new ArtworkError('invalid_arguments', 'frames shows one animated picture: name that one alone.');
  }
  const { bytes, frame: chosen } = await source(only);
  const { headerOf } = await import('../../curation/show/picture.ts');
  const { frames } = await headerOf(bytes);
  if (frames < 2)
    throw new ArtworkError('invalid_arguments', 'This picture is not animated: leave frames out.');
  context.shownPaths.learn([only.file === undefined ? only.ref : null]);
  return Array.from({ length: frames }, (_, frame) => ({
    ...only,
    frame,
    label: `frame ${frame}`,
    note: frame === chosen ? 'shown now' : undefined,
  }));
}

/** What became of what was found. */
type Look = (Picture & { readonly decoded: DecodedPicture }) | Withheld | Lacking;

/** @param sheetSize null: it stands alone */
async function lookAt(
  found: Found,
  sheetSize: number | null,
  args: Args,
  source: Source,
  context: Context,
): Promise<Look> {
  if (!('ref' in found)) return found;
  const { label } = found;
  try {
    const { bytes, frame } = await source(found);
    const { decodePicture } = await import('../../curation/show/picture.ts');
    const alone = args.size ?? 768;
    const box =
      sheetSize === null
        ? { width: alone, height: alone * 2 }
        : (await import('../../curation/show/sheet.ts')).boxFor(sheetSize);
    return { ...found, decoded: await decodePicture(bytes, box, frame) };
  } catch (error) {
    if (!(error instanceof ArtworkError) || error.category === 'cancelled') throw error;
    if (found.isPending === true && error.category === 'not_found') {
      return { label, error: withNext(notVisible(), args) };
    }
    if (error.category !== 'network' || readingMs(context) > 0) return { label, error };
    const late = new ArtworkError('network', 'There was no time for this picture.', { code: lateCode });
    return { label, error: withNext(late, args) };
  }
}

/** Of the error of a picture that there was no time for. */
const lateCode = 'not_read_in_time';

function again(args: Args): Next {
  const why = 'The same call again: what was just asked for or just saved most often comes sooner by then.';
  return { tool: 'view_artwork', arguments: args, why };
}

function withNext({ category, message, code }: ArtworkError, args: Args): ArtworkError {
  return new ArtworkError(category, message, { code, next: again(args) });
}

/**
 * The one image of an answer. One picture by itself; several as one sheet, with what is missing and what can't be shown in
 * its place. Null where there is no picture.
 */
async function imageOf(
  looks: readonly Look[],
  { firstNumber, size, png }: { readonly firstNumber: number; readonly size: number; readonly png: boolean },
): Promise<{ readonly image: EncodedImage; readonly png: Buffer | null } | null> {
  const [only] = looks;
  if (!looks.some((look) => 'decoded' in look)) return null;
  const { contactSheet, imageBudget } = await import('../../curation/show/sheet.ts');
  if (looks.length === 1 && only !== undefined && 'decoded' in only) {
    const { encodeWithin } = await import('../../curation/show/picture.ts');
    return { image: await encodeWithin(only.decoded.raster, imageBudget), png: null };
  }
  const { usualRatio } = await import('../../curation/show/page.ts');
  const items = looks.map((look, at) => {
    const common = { number: firstNumber + at, label: look.label };
    if ('decoded' in look) return { ...common, raster: look.decoded.raster, note: look.note };
    const isGap = 'missing' in look;
    return {
      ...common,
      ...{ raster: null, isGap, words: wordsIn(look) },
      ratio: usualRatio(isGap ? look.slot : 'titlecard'),
    };
  });
  return contactSheet(items, { size, png });
}

function wordsIn(look: Withheld | Lacking): string {
  if ('missing' in look) return look.missing === 1 ? 'missing' : `${look.missing} missing`;
  const words: Readonly<Record<string, string>> = {
    [lateCode]: 'not read in time',
    not_published: 'not visible yet',
  };
  return words[look.error.code] ?? 'not shown';
}

/** Everything that was asked for, however many pictures the answer itself shows; null where there is nothing to see. */
async function pageOf(
  sections: readonly FoundOf[],
  shelf: Shelf,
  source: Source,
  sheet: Buffer | null,
): Promise<SavedPage | null> {
  const pictures = sections.flatMap(({ found }) => found.flatMap((one) => ('ref' in one ? [one] : [])));
  if (pictures.length === 0) return null;
  const { galleryOf, keyOfPicture } = await import('../../curation/show/gallery.ts');
  const byKey = new Map(pictures.map((one) => [keyOfPicture(one), one]));
  const read = async (key: string) => {
    const picture = byKey.get(key);
    if (picture === undefined) throw new TypeError(`The page asks for ${key}.`);
    return source(picture);
  };
  return shelf.save(galleryOf(sections), read, sheet);
}

/** A slot of a Set can be more than was thought of: a Set of a show has posters of its seasons too. */
function severalWords(item: ArtworkItem | undefined, found: readonly Found[]): string[] {
  const count = found.filter((one) => !('missing' in one)).length;
  if (item?.kind === undefined || isKind(item.kind) || item.slot === undefined || count < 2) return [];
  return [
    `The ${item.kind} ${item.id ?? ''} has ${count} pictures in the slot ${item.slot}: each label says what it is of.`,
  ];
}

/** What one picture of a contact sheet is, as data for a model. */
function describe(look: Look, number: number, isFrame: boolean): Record<string, unknown> {
  const { label } = look;
  if ('missing' in look) return { number, label, missing: look.missing };
  if ('error' in look) {
    const { code, category, message } = look.error;
    return { number, label, error: { code, category, message } };
  }
  const { note, ref, assetId, decoded } = look;
  const common = { number, label, ...(note === undefined ? {} : { note }) };
  if (isFrame) return common;
  const own = assetId === undefined ? {} : { assetId };
  return { ...common, ref, ...own, original: decoded.original };
}

/** A place that lacks its picture is shown, and counts as none. */
function omittedPictures(
  found: readonly Found[],
  shown: readonly Found[],
  args: Args,
  nextCursor: string | null,
): OmittedSection[] {
  const others = shown.flatMap((one): OmittedSection[] => {
    if (!('others' in one) || one.others === undefined || args.frames === true) return [];
    const { total, returned, ...item } = one.others;
    const next = { tool: 'view_artwork', arguments: { items: [item] } };
    return [{ section: `assets.${item.slot}`, total, returned, next }];
  });
  if (shown.length === found.length) return others;
  const count = (some: readonly Found[]) => some.filter((one) => !('missing' in one)).length;
  const next =
    nextCursor === null ? null : { tool: 'view_artwork', arguments: { ...args, cursor: nextCursor } };
  const section = args.frames === true ? 'frames' : 'pictures';
  return [{ section, total: count(found), returned: count(shown), next }, ...others];
}
