import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { OwnedAsset } from '../../catalogue/records/owned.ts';
import { findOwnSet, readOwnSet } from '../../curation/own-sets.ts';
import type { Plan } from '../../curation/plan/plan.ts';
import {
  amongOthers,
  type Found,
  labelOfAsset,
  labelOfOwnAsset,
  labelsOf,
  type Picture,
  pictureOfFile,
  pictureOfPath,
  picturesOfEntity,
  picturesOfOwnSet,
  picturesOfSet,
  type Whose,
  type Withheld,
  whoseOfEntity,
  whoseOfSet,
} from '../../curation/show/found.ts';
import type { FoundOf } from '../../curation/show/gallery.ts';
import { ArtworkError, codeOf, unlessRefused } from '../../errors.ts';
import { catalogueId } from '../../mcp/arguments.ts';
import type { Context } from '../../mcp/context.ts';
import { entityKind, setKind } from '../../mcp/kinds.ts';
import { ownAssetOf, pathOfAsset } from '../../model/asset.ts';
import { isKind, isSetKind, type Kind, kindWords, type SetKind } from '../../model/kinds.ts';
import type { OwnSet } from '../../model/own-set.ts';
import { setOf } from '../../model/set.ts';
import { slotWords } from '../../model/slots.ts';
import { labelOf } from '../../model/target.ts';
import { targetOf } from '../../model/work.ts';
import { ownTypeOf, readOwn } from '../own.ts';

// What an item of view_artwork names: one picture, or those of an entity or a Set. Nothing of them is read here but records.

/** Kinds of Sets that only `/me` reads; media_set is what it calls a Set of a film, show, game or collection. */
const ownKinds = ['talent_set', 'category_set', 'media_set'] as const;

/** One picture, or the pictures of one entity or Set, as a call names them. */
export const artworkItem = z.strictObject({
  kind: z
    .enum([...entityKind.options, ...setKind.options, ...ownKinds])
    .optional()
    .meta({ inWords: true, description: 'as answers name it, e.g. show, boxset' }),
  id: catalogueId.optional(),
  slot: z.string().max(60).optional().describe('poster: the main one; posters: all'),
  assetId: z.uuid().optional().describe('your own'),
  path: z.string().max(4_000).optional().describe('an Asset path'),
  url: z.string().max(2_000).optional().describe('a metadataImages URL'),
  file: z.string().max(4_096).optional().describe('on this machine; with planId as the plan shows it'),
});
type ArtworkItem = z.output<typeof artworkItem>;

/** What a call looks at, and one item's slot; null: all. */
interface Asked {
  readonly slot: string | null;
  /** Other items stand beside it, so that labels must tell whose picture it is. */
  readonly among: boolean;
  /** Whose files `file` may name as it shows them. */
  readonly plan: Plan | null;
  readonly context: Context;
}

/**
 * The pictures that an item names: one, or all of a Set or of a list of Assets. An item that names nothing to see is that
 * item's failure.
 * @throws ArtworkError `cancelled` alone
 */
export async function lookFor(item: ArtworkItem, looking: Omit<Asked, 'slot'>): Promise<FoundOf> {
  try {
    return await foundOf(item, { ...looking, slot: item.slot ?? null });
  } catch (error) {
    if (!(error instanceof ArtworkError) || error.failure === 'cancelled') throw error;
    const label = Object.values(item).join(' ').slice(0, 200) || 'an empty item';
    return { title: label, found: [{ label, error }] };
  }
}

async function foundOf(item: ArtworkItem, asked: Asked): Promise<FoundOf> {
  const { kind, id, assetId, path: given, url, file } = item;
  const isNamed = kind !== undefined && id !== undefined;
  const ways = [assetId, given, url, file].filter((way) => way !== undefined).length;
  if (isNamed && ways === 0) {
    if (isSetKind(kind)) return ofSet(kind, id, asked);
    return isKind(kind) ? ofEntity(kind, id, asked) : ofOwnSet(kind, id, asked);
  }
  // Beside a URL, kind and id tell whose image it is.
  if (ways !== 1 || (isNamed && url === undefined)) {
    const message = 'Each item is one of {kind,id,slot?}, {assetId}, {path}, {url} or {file}.';
    throw new ArtworkError('invalid_arguments', message);
  }
  const picture = await onePicture(item, asked);
  return { title: picture.label, found: [picture] };
}

async function onePicture(item: ArtworkItem, asked: Asked): Promise<Picture> {
  const { kind, id, slot, assetId, path: given, url, file } = item;
  if (assetId !== undefined) return ownPicture(assetId, asked);
  if (file !== undefined) return pictureOfFile(file, slot, asked.plan);
  // A path is judged as one wherever it is given.
  if (url !== undefined && !url.startsWith('/')) {
    const seenIn = kind !== undefined && isKind(kind) && id !== undefined ? { kind, id } : undefined;
    return { ref: url, label: slot ?? 'image', slot, seenIn };
  }
  const onService = given ?? url ?? '';
  await requireServicePath(onService);
  return pictureOfPath(onService, slot, shownLabel(onService, asked));
}

/**
 * A root-relative path (interface document, Conventions) goes to the service without a query and without dots, however
 * they are encoded. One of this machine does not: it would tell what lies here. Its first two folders tell, since machines
 * and services both call one `media`.
 * @throws ArtworkError `invalid_arguments`
 */
async function requireServicePath(given: string): Promise<void> {
  const isPlain = /^\/[^/\\]/.test(given) && !unfit.test(given);
  const names = given.split('/').slice(1);
  const known = isPlain ? lstat(path.resolve('/', ...names.slice(0, names.length > 2 ? 2 : 1))) : null;
  const isHere = await known?.then(
    () => true,
    (error: unknown) => !['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? ''),
  );
  if (isHere === false) return;
  const message =
    'This path is not sent to the service: it is on this machine, or it has dots or a query. Give a path as an answer shows it. For a file of this machine, use `file`.';
  throw new ArtworkError('invalid_arguments', message);
}

/** Queries, what leads out of a folder in any spelling, and what is not well encoded. */
const unfit = /[?#\\\p{Cc}]|\/\.{1,2}(?:[;/]|\s*$)|%(?![\da-f]{2})|%(?:2e|2f|5c|[01][\da-f]|7f)/iu;

/** What an answer has called the picture at a path; undefined where none has. */
function shownLabel(at: string, { among, context }: Asked) {
  const known = context.shownPictures.labelOf(at);
  if (known === null) return undefined;
  return among ? known.among : { label: known.alone };
}

/** What was found, with the labels that it has here; each is then known by its path. */
function learnt<Some extends Found>(
  found: readonly Some[],
  whose: Whose,
  { among, context }: Asked,
): readonly Some[] {
  context.shownPictures.learn(() => labelsOf(found, whose));
  return among ? found.map((one) => ({ ...one, ...amongOthers(one, whose) })) : found;
}

function nothingThere(what: string, slot: string | null, own: OwnSet | null): ArtworkError {
  const message = `${what} has no ${slot === null ? 'picture' : slotWords(slot)}.`;
  return new ArtworkError('not_found', message, own === null ? {} : { next: readOwn(own) });
}

/** Public reads lag: a Set of the account's that they don't show is taken from its own record. */
async function ofSet(kind: SetKind, id: number, asked: Asked): Promise<FoundOf> {
  const { slot, context } = asked;
  const read = await orNotFound(() => context.catalogue.readSet(kind, id, context.deadline));
  const set = read instanceof ArtworkError ? null : setOf(kind, id, read);
  const shown = set === null ? [] : learnt(picturesOfSet(set, slot), whoseOfSet(set), asked);
  const type = ownTypeOf(kind);
  const own = shown.length === 0 ? await findOwnSet(context.account, type, id, context.deadline) : null;
  const found = own === null ? shown : ownPictures({ ...own, kind: own.kind ?? kind }, asked);
  if (found.length > 0) return { kind, title: set?.title || own?.title || kindWords(kind), found };
  throw read instanceof ArtworkError && own === null
    ? read
    : nothingThere(`This ${kindWords(kind)}`, slot, own);
}

/** A Set of one's own that public reads have under no kind, or under another. */
async function ofOwnSet(kind: string, id: number, asked: Asked): Promise<FoundOf> {
  const { owned } = await asked.context.account();
  const own = await readOwnSet(owned, 'set', id, asked.context.deadline);
  const found = ownPictures({ ...own, kind: own.kind ?? kind }, asked);
  if (found.length > 0) return { kind, title: own.title || kindWords(kind), found };
  throw nothingThere(`Your ${kindWords(kind)} ${id}`, asked.slot, own);
}

/** The pictures of an entity that public reads show. */
async function ofEntity(kind: Kind, id: number, asked: Asked): Promise<FoundOf> {
  const { slot, context } = asked;
  const record = await context.catalogue.readEntity(kind, id, context.deadline);
  const entity = { kind, id, record };
  const found = learnt(picturesOfEntity(entity, slot), whoseOfEntity(entity), asked);
  const target = targetOf(kind, { ...record, id });
  const title = (target === null ? '' : labelOf(target)) || kindWords(kind);
  if (found.length > 0) return { kind, title, found };
  throw nothingThere(`This ${kindWords(kind).toLowerCase()}`, slot, null);
}

/** Only the account's own Assets can be read by their id (Endpoints: Protected reads). */
async function ownPicture(assetId: string, asked: Asked): Promise<Picture> {
  const { catalogue, deadline, account } = asked.context;
  const asset = await (await account()).owned.readAsset(assetId, deadline);
  const own = ownAssetOf(asset);
  const target = own?.target;
  // The record tells the id of a season or an episode: its number is in its own record, whose name is then known.
  if (target?.kind === 'season' || target?.kind === 'episode')
    await orNotFound(() => catalogue.readEntity(target.kind, target.id, deadline));
  const label = own === null ? labelOfAsset(assetId) : labelOfOwnAsset(own, asked.among, catalogue.nameOf);
  const isPending = asset.publicationStatus === 'pending';
  const ref = pathOfAsset(asset);
  if (ref === null) throw unseen(isPending);
  return { ref, label, isPending, isOwn: true, frame: frameOf(asset), assetId, slot: own?.slot ?? undefined };
}

/** What is read, or the error that it is not there. */
async function orNotFound<Value>(read: () => Promise<Value>): Promise<Value | ArtworkError> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ArtworkError && error.failure === 'not_found') return error;
    throw error;
  }
}

/** An Asset of the account's own that any reason keeps from being read is not there. @throws ArtworkError `cancelled` */
export async function findOwnAsset(assetId: string, context: Context): Promise<OwnedAsset | null> {
  if (!context.hasStore()) return null;
  return unlessRefused(async () => (await context.account()).owned.readAsset(assetId, context.deadline));
}

/** What a Set or group of one's own holds, whether public reads show it or not. */
function ownPictures(own: OwnSet, { slot, among, context }: Asked): (Picture | Withheld)[] {
  const whose = whoseOfSet({ ...own, kind: own.kind ?? own.type });
  return picturesOfOwnSet(own, slot, context.catalogue.nameOf).map((one) => {
    const { note, path: ref, assetId, slot: of } = one;
    const { label, titled } = among ? amongOthers(one, whose) : one;
    const isPending = own.publicationStatus === 'pending' || one.isPending;
    if (ref === null) return { label, titled, error: unseen(isPending) };
    return { ref, label, titled, note, isPending, isOwn: true, assetId: assetId ?? undefined, slot: of };
  });
}

/** The frame that its owner has chosen to stand for an animated Asset. */
export function frameOf(asset: OwnedAsset | null): number | undefined {
  const frame = asset?.selectedSourceFrame;
  return typeof frame === 'number' && Number.isSafeInteger(frame) ? frame : undefined;
}

/** Of a picture that can't be fetched: where it is saved, public reads may only lag. */
export function unseen(isPending: boolean): ArtworkError {
  if (!isPending) return new ArtworkError('not_found', 'The service does not show where this picture is.');
  const message =
    'Not visible yet: the picture is saved, but the service has not published it. Look again later.';
  return new ArtworkError('not_found', message, { code: 'not_published' });
}
