import { z } from 'zod';
import type { Plan } from '../../curation/plan/plan.ts';
import { createPlanStore } from '../../curation/plan/store.ts';
import type { ArtworkPage } from '../../curation/show/artwork-page.ts';
import {
  describeArtwork,
  imageBudget,
  imageOfLooks,
  lateCode,
  type Look,
} from '../../curation/show/looks.ts';
import {
  type Found,
  type Picture,
  rivalsTogether,
  type Withheld,
  withFileLabels,
} from '../../curation/show/picture.ts';
import { noLaterThan } from '../../deadline.ts';
import { ArtworkError, type Next } from '../../errors.ts';
import { integerWithin, type OmittedSection, pageArgument, paging, readResult } from '../../mcp/arguments.ts';
import type { Context } from '../../mcp/context.ts';
import { entityKind } from '../../mcp/kinds.ts';
import { readCursor, writeCursor } from '../../mcp/pages.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';
import { slotsWords, slotWords } from '../../model/slots.ts';
import { mapLimit } from '../../wire/pacing.ts';
import type { Shelf } from '../answer-pages.ts';
import { type ArtworkItem, artworkItem } from './artwork-item.ts';
import { picturesOf } from './pictures.ts';

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
  cursor: paging.cursor,
  page: pageArgument,
});

const mostPictures = 24;
const parallelFetches = 4;
/** Milliseconds of the call that are left for the sheet and the answer. */
const sheetReserveMs = 5_000;

export const viewArtwork = defineTool({
  name: 'view_artwork',
  title: 'View pictures, compare them side by side',
  toolset: 'catalogue',
  description: `View pictures: see a ${slotWords('poster')}, or compare ${slotsWords('poster')}, ${slotsWords('titlecard')}, ${slotsWords('logo')} or ${slotsWords('backdrop')} side by side on one numbered sheet, also files before an upload. 24 at once, then the cursor. What was just made shows some seconds later.`,
  searchHint:
    'show see look at display preview picture pictures image images photo compare comparison side by next to each other together poster posters title card cards titlecard titlecards backdrop backdrops background cover covers logo logos thumb icon contact sheet gallery grid tv series movie film what does it like',
  alwaysLoad: true,
  annotations: readOnly,
  input,
  output: readResult.extend({ warnings: z.array(z.string()).optional(), next: z.unknown().optional() }),
  pictures: true,
  readsHostFolders: ({ items }) => items.some(({ file }) => file !== undefined),
  async run(args, context) {
    const among = args.items.length > 1;
    // The page shows everything that was asked for: one is enough for all answers to it.
    const wantsPage = args.page === true && args.cursor === undefined;
    const shelf = wantsPage ? await (await import('../answer-pages.ts')).shelfOf(context) : null;
    const plan = args.planId === undefined ? null : await planOf(args.planId, context);
    const named = await mapLimit(args.items, parallelFetches, (one) =>
      picturesOrFailure(one, among, plan, context),
    );
    const found = rivalsTogether(withFileLabels(named.flat()));
    const first = readCursor('view_artwork', args, z.int().min(0)) ?? 0;
    const shown = found.slice(first, first + mostPictures);
    const end = first + shown.length;
    const nextCursor = end < found.length ? writeCursor('view_artwork', args, end) : null;
    const size = args.size ?? (shown.length === 1 ? 768 : 256);
    let done = 0;
    context.shownPaths.learn(shown.map((one) => ('ref' in one && one.file === undefined ? one.ref : null)));
    const looks = await mapLimit(shown, parallelFetches, async (picture) => {
      const look = await lookAt(picture, size, shown.length > 1, args, context);
      done += 1;
      await context.progress(done, shown.length, 'pictures read');
      return look;
    });
    const warnings = args.items.flatMap((one, index) =>
      ofSetWords(one, (named[index] ?? []).filter((each) => !('missing' in each)).length),
    );
    const next = looks.flatMap((look) => ('error' in look ? (look.error.next ?? []) : []))[0];
    const sheet = await imageOfLooks(looks, { before: first, size, png: wantsPage });
    const page = shelf === null ? null : await pageOf(args.items, found, sheet?.png ?? null, shelf, context);
    if (page !== null && page.leftOut > 0) warnings.push(lateWords(page));
    return {
      structured: {
        data: looks.map((look, index) => describeArtwork(look, first + index + 1)),
        omitted: omittedPictures(found, shown, args, nextCursor),
        nextCursor,
        ...(warnings.length > 0 ? { warnings } : {}),
        ...(page === null ? {} : { page: page.uri }),
        ...(next === undefined ? (page === null ? {} : againFor(page, args)) : { next }),
      },
      images: sheet === null ? [] : [{ bytes: sheet.image.bytes, mimeType: sheet.image.contentType }],
    };
  },
});

function lateWords({ total, leftOut }: ArtworkPage): string {
  return `The page has ${total - leftOut} of its ${total} pictures: there was no time for the others, whose places say so. The same call goes on where this one stopped.`;
}

/** What was read is kept for a day, so that it has time for others. */
function againFor({ leftOut }: ArtworkPage, args: z.output<typeof input>): { readonly next?: Next } {
  if (leftOut === 0) return {};
  return { next: { tool: 'view_artwork', arguments: args, why: `It has time for more of the ${leftOut}.` } };
}

async function pageOf(
  items: readonly ArtworkItem[],
  found: readonly Found[],
  sheet: Buffer | null,
  { owner }: Shelf,
  context: Context,
): Promise<ArtworkPage | null> {
  const { writeArtworkPage } = await import('../../curation/show/artwork-page.ts');
  const named = items.flatMap(({ kind, id, slot = null, url }) =>
    kind === undefined || id === undefined || url !== undefined ? [] : [{ kind, id, slot }],
  );
  const pictures = found.flatMap((one) => ('ref' in one ? [one] : []));
  const read = (picture: Picture) => bytesOf(picture, context);
  return writeArtworkPage({ named, pictures, sheet, owner, read }, context);
}

/** An item that names nothing to see is that item's failure; a cancelled call is everybody's. */
async function picturesOrFailure(
  one: ArtworkItem,
  among: boolean,
  plan: Plan | null,
  context: Context,
): Promise<Found[]> {
  try {
    return [...(await picturesOf(one, among, plan, context))];
  } catch (error) {
    return [failed(wordsFor(one), error)];
  }
}

async function planOf(planId: string, context: Context): Promise<Plan> {
  const { records } = await context.account();
  return (await createPlanStore(await records('plans')).find(planId)).plan;
}

/** A slot of a Set can be more than was thought of: a Set of a show has posters of its seasons too. */
function ofSetWords({ kind, id, slot }: ArtworkItem, count: number): string[] {
  const isSet = kind !== undefined && !entityKind.safeParse(kind).success;
  if (!isSet || slot === undefined || count < 2) return [];
  return [`The ${kind} ${id} has ${count} pictures in the slot ${slot}: each label says what it is of.`];
}

function wordsFor({ kind, id, slot, assetId, path, url, file }: ArtworkItem): string {
  const words = [kind, id, slot, assetId, path, url, file].filter((word) => word !== undefined);
  return words.length === 0 ? 'an empty item' : words.join(' ').slice(0, 200);
}

async function lookAt(
  picture: Found,
  size: number,
  among: boolean,
  args: z.output<typeof input>,
  context: Context,
): Promise<Look> {
  if (!('ref' in picture)) return picture;
  try {
    const { thumbnail } = await import('../../curation/show/thumbnail.ts');
    const bytes = await bytesOf(picture, context);
    // On a sheet the rows decide how large it is.
    const width = among ? size * 2 : size;
    return { ...picture, thumbnail: await thumbnail(bytes, { size: width, maxBytes: imageBudget }) };
  } catch (error) {
    const isLate = error instanceof ArtworkError && error.category === 'network' && readingMs(context) === 0;
    return failed(picture.label, isLate ? lateError(args) : error);
  }
}

function lateError(args: z.output<typeof input>): ArtworkError {
  return new ArtworkError('network', 'There was no time for this picture.', {
    code: lateCode,
    next: {
      tool: 'view_artwork',
      arguments: args,
      why: 'It is the same call: what the service has been asked for it most often answers sooner.',
    },
  });
}

/** Milliseconds that are left for reading pictures. */
function readingMs(context: Context): number {
  return Math.max(0, context.deadline.left() - sheetReserveMs);
}

async function bytesOf({ ref, file, seenIn }: Picture, context: Context): Promise<Buffer> {
  if (file === undefined) {
    const deadline = noLaterThan(context.deadline, readingMs(context));
    return (await context.catalogue.fetchImage(ref, deadline, seenIn)).bytes;
  }
  const { readPicture } = await import('../../curation/show/local-picture.ts');
  const roots = { configured: context.settings.uploadRoots, host: await context.roots() };
  return readPicture(file, roots, context.signal);
}

function failed(label: string, error: unknown): Withheld {
  if (!(error instanceof ArtworkError) || error.category === 'cancelled') throw error;
  return { label, error };
}

/** A place that lacks its picture is shown, and counts as none. */
function omittedPictures(
  found: readonly Found[],
  shown: readonly Found[],
  args: z.output<typeof input>,
  nextCursor: string | null,
): OmittedSection[] {
  const others = shown.flatMap((one): OmittedSection[] => {
    if (!('others' in one) || one.others === undefined) return [];
    const { total, returned, ...item } = one.others;
    const next = { tool: 'view_artwork', arguments: { items: [item] } };
    return [{ section: `assets.${item.slot}`, total, returned, next }];
  });
  if (shown.length === found.length) return others;
  const count = (some: readonly Found[]) => some.filter((one) => !('missing' in one)).length;
  const next =
    nextCursor === null ? null : { tool: 'view_artwork', arguments: { ...args, cursor: nextCursor } };
  return [{ section: 'pictures', total: count(found), returned: count(shown), next }, ...others];
}
