import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { EntityKind, SetKind } from '../../catalogue/records/kinds.ts';
import { isRecord } from '../../catalogue/records/members.ts';
import type { OwnedAsset } from '../../catalogue/records/owned.ts';
import type { Plan } from '../../curation/plan/plan.ts';
import { findOwnSet, readOwnSet } from '../../curation/read-own-set.ts';
import {
  type Found,
  labelOfAsset,
  type Picture,
  pictureOfFile,
  pictureOfPath,
  picturesOfEntity,
  picturesOfOwnSet,
  picturesOfSet,
  type Withheld,
} from '../../curation/show/found.ts';
import type { FoundOf } from '../../curation/show/gallery.ts';
import type { ReadPicture } from '../../curation/show/save.ts';
import { type Deadline, noLaterThan } from '../../deadline.ts';
import { ArtworkError, codeOf } from '../../errors.ts';
import { contentOf } from '../../files/content.ts';
import { openFile } from '../../files/open-file.ts';
import { refusedFile } from '../../files/refusal.ts';
import type { Roots } from '../../files/roots.ts';
import { catalogueId } from '../../mcp/arguments.ts';
import type { Context } from '../../mcp/context.ts';
import { entityKind, setKind } from '../../mcp/kinds.ts';
import { ownAssetOf, pathOfAsset } from '../../model/asset.ts';
import { isKind, kindWords, slotsOf, slotsWithin } from '../../model/kinds.ts';
import type { OwnSet } from '../../model/own-set.ts';
import { setOf } from '../../model/set.ts';
import { slotMeant, slotWords } from '../../model/slots.ts';
import { keyOfTarget, labelOf } from '../../model/target.ts';
import { targetOf } from '../../model/work.ts';
import { pendingOn } from '../pending-there.ts';
import { ownTypeOf, readOrExplain, readOwn } from './not-there.ts';

/** Kinds of Sets that only `/me` reads; media_set is what it calls a Set of a film, show, game or collection. */
const ownKinds = ['talent_set', 'category_set', 'media_set'] as const;

/** One picture, or the pictures of one entity or Set, as a call names them. */
export const artworkItem = z
  .strictObject({
    kind: z
      .enum([...entityKind.options, ...setKind.options, ...ownKinds])
      .optional()
      .meta({ inWords: true, description: 'as answers name it, e.g. show, boxset' }),
    id: catalogueId.optional(),
    slot: z.string().max(60).optional().meta({
      description:
        'of an entity "poster": the one that stands for it; "posters": all of that list. Of a Set: all of that slot (a show_set has posters of its seasons too); left out: all it has',
      brief: 'poster: the main one; posters: all',
    }),
    assetId: z
      .uuid()
      .optional()
      .meta({ description: "of the connected account's own Assets", brief: 'your own' }),
    path: z
      .string()
      .max(4_000)
      .optional()
      .meta({ description: 'an Asset path as an answer shows it', brief: 'an Asset path' }),
    url: z
      .string()
      .max(2_000)
      .optional()
      .meta({ description: 'a metadataImages URL from an answer', brief: 'a metadataImages URL' }),
    file: z.string().max(4_096).optional().meta({
      description:
        'on this machine: absolute path or file: URI below an upload folder; with planId as the plan shows it',
      brief: 'on this machine; with planId as the plan shows it',
    }),
  })
  .overwrite(slotOfSet);

export type ArtworkItem = z.output<typeof artworkItem>;

/** A Set has no lists beside its slots, so that any word for one means it. What an entity has tells its record. */
function slotOfSet<Item extends { kind?: string | undefined; slot?: string | undefined }>(one: Item): Item {
  if (one.kind === undefined || one.slot === undefined || isKind(one.kind)) return one;
  return { ...one, slot: slotMeant(one.slot, slotsWithin(one.kind)) ?? one.slot };
}

/** What a call looks at. */
interface Looking {
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
export async function lookFor(item: ArtworkItem, looking: Looking): Promise<FoundOf> {
  try {
    return await foundOf(item, looking);
  } catch (error) {
    if (!(error instanceof ArtworkError) || error.category === 'cancelled') throw error;
    const words = Object.values(item).filter((word) => word !== undefined);
    const label = words.length === 0 ? 'an empty item' : words.join(' ').slice(0, 200);
    return { title: label, found: [{ label, error }] };
  }
}

async function foundOf(item: ArtworkItem, looking: Looking): Promise<FoundOf> {
  const { kind, id, slot, assetId, path: given, url, file } = item;
  const { context, plan } = looking;
  const entity = entityKind.safeParse(kind);
  const ways = Object.entries({ assetId, path: given, url, file }).filter(([, value]) => value !== undefined);
  // kind and id may stand beside a URL: they tell whose image it is.
  const isNamed = kind !== undefined && id !== undefined && url === undefined;
  const single = (picture: Picture): FoundOf => ({ title: picture.label, found: [picture] });
  if (ways.length + (isNamed ? 1 : 0) === 1) {
    if (assetId !== undefined) return single(await ownPicture(assetId, context));
    if (file !== undefined) return single(pictureOfFile(file, slot, plan));
    const address = given ?? (url?.startsWith('/') === true ? url : undefined);
    // A path is judged as one wherever it is given.
    if (address !== undefined) return single(await pictureAt(address, slot, context));
    if (url !== undefined) {
      const seenIn = entity.success && id !== undefined ? { kind: entity.data, id } : undefined;
      return single({ ref: url, label: slot ?? 'image', slot, seenIn });
    }
    if (kind !== undefined && id !== undefined) return ofNamed(kind, id, slot ?? null, looking);
  }
  const message =
    'An item is one of {kind,id,slot?}, {assetId}, {path}, {url} or {file}, and only one of them.';
  throw new ArtworkError('invalid_arguments', message);
}

async function ofNamed(
  kind: NonNullable<ArtworkItem['kind']>,
  id: number,
  slot: string | null,
  looking: Looking,
): Promise<FoundOf> {
  const set = setKind.safeParse(kind);
  if (set.success) return ofSet(set.data, id, slot, looking);
  if (isKind(kind)) return ofEntity(kind, id, slot, looking);
  const { owned } = await looking.context.account();
  const own = await readOwnSet(owned, 'set', id, looking.context.deadline);
  const found = ownPictures({ ...own, kind: own.kind ?? kind }, slot, looking);
  if (found.length > 0) return { kind, title: own.title || kindWords(kind), found };
  throw nothingThere(`Your ${kindWords(kind)} ${id}`, slot, own);
}

function nothingThere(what: string, slot: string | null, own: OwnSet | null): ArtworkError {
  const message = `${what} has no ${slot === null ? 'picture' : slotWords(slot)}.`;
  return new ArtworkError('not_found', message, own === null ? {} : { next: readOwn(own) });
}

/** Public reads lag: what the account changed there, and what they don't show at all, is looked up in its own record. */
async function ofSet(kind: SetKind, id: number, slot: string | null, looking: Looking): Promise<FoundOf> {
  const { among, context } = looking;
  const read = await readSet(kind, id, context);
  const set = read instanceof ArtworkError ? null : setOf(kind, id, read);
  const shown = set === null ? [] : picturesOfSet(set, slot, among);
  const type = ownTypeOf(kind);
  const isChanging = (await pendingOn([{ kind: type, id }], context)).length > 0;
  const own =
    shown.length === 0 || isChanging ? await findOwnSet(context.account, type, id, context.deadline) : null;
  const saved = own === null ? [] : ownPictures({ ...own, kind: own.kind ?? kind }, slot, looking);
  const added = saved.filter((one) => shown.length === 0 || 'error' in one || one.isPending === true);
  const isFilled = ({ label }: Found) => added.some((one) => one.label.startsWith(label));
  const found = [...shown.filter((one) => !('missing' in one && isFilled(one))), ...added];
  if (found.length > 0) return { kind, title: set?.title || own?.title || kindWords(kind), found };
  throw read instanceof ArtworkError && own === null
    ? read
    : nothingThere(`This ${kindWords(kind)}`, slot, own);
}

/** The record, or the 404 that came instead. */
async function readSet(kind: SetKind, id: number, { catalogue, deadline }: Context) {
  try {
    return await catalogue.readSet(kind, id, deadline);
  } catch (error) {
    if (error instanceof ArtworkError && error.category === 'not_found') return error;
    throw error;
  }
}

async function ofEntity(
  kind: EntityKind,
  id: number,
  slot: string | null,
  { among, context }: Looking,
): Promise<FoundOf> {
  const record = await readOrExplain(kind, id, context, () =>
    context.catalogue.readEntity(kind, id, context.deadline),
  );
  const shown = picturesOfEntity({ kind, id, record }, slot, among);
  const wanted = slot === null ? null : slotMeant(slot, slotsOf(kind));
  const uploads = (await pendingOn([{ kind, id }], context)).flatMap(({ id: touched }) =>
    touched?.kind === 'asset' && touched.id !== null ? [String(touched.id)] : [],
  );
  const found: Found[] = [...shown];
  for (const assetId of new Set(uploads)) {
    const asset = await findOwnAsset(assetId, context);
    const own = asset === null ? null : ownAssetOf(asset);
    if (asset === null || (slot !== null && own?.slot !== wanted)) continue;
    if (own?.target != null && keyOfTarget(own.target) !== keyOfTarget({ kind, id })) continue;
    const label = `your new ${slotWords(own?.slot ?? 'picture')}`;
    if (!shown.some((one) => one.assetId === assetId)) found.push(ownCopy(asset, label));
  }
  const target = targetOf(kind, { ...record, id });
  const title = target === null ? '' : labelOf(target);
  if (found.length > 0) return { kind, title: title || kindWords(kind), found };
  throw nothingThere(`This ${kindWords(kind).toLowerCase()}`, slot, null);
}

/** Only the account's own Assets can be read by their id (Endpoints: Protected reads). */
async function ownPicture(assetId: string, context: Context): Promise<Picture> {
  const asset = await (await context.account()).owned.readAsset(assetId, context.deadline);
  const picture = ownCopy(asset, labelOfAsset(assetId));
  if ('ref' in picture) return picture;
  throw picture.error;
}

/** An Asset of the account's own that any reason keeps from being read is not there. @throws ArtworkError `cancelled` */
async function findOwnAsset(assetId: string, context: Context): Promise<OwnedAsset | null> {
  if (!context.hasStore()) return null;
  try {
    return await (await context.account()).owned.readAsset(assetId, context.deadline);
  } catch (error) {
    if (error instanceof ArtworkError && error.category !== 'cancelled') return null;
    throw error;
  }
}

function ownCopy(asset: OwnedAsset, label: string): Picture | Withheld {
  const own = ownAssetOf(asset);
  const isPending = asset.publicationStatus === 'pending';
  const ref = pathOfAsset(asset);
  if (ref === null) return { label, error: isPending ? notVisible() : notTold() };
  return {
    ...{ ref, label, isPending, frame: frameOf(asset) },
    assetId: own?.id,
    slot: own?.slot ?? undefined,
  };
}

function frameOf(asset: unknown): number | undefined {
  const frame = isRecord(asset) ? asset.selectedSourceFrame : undefined;
  return typeof frame === 'number' && Number.isSafeInteger(frame) ? frame : undefined;
}

/** What a Set or group of one's own holds, whether public reads show it or not. */
function ownPictures(own: OwnSet, slot: string | null, { among, context }: Looking): (Picture | Withheld)[] {
  const isNew = own.publicationStatus === 'pending';
  const nameOf = (kind: string, id: number) => context.catalogue.nameOf(kind, id);
  return picturesOfOwnSet(own, { slot, among }, nameOf).map((one) => {
    const { label, note, path: ref, assetId, slot: of } = one;
    const isPending = isNew || one.isPending;
    if (ref === null) return { label, error: isPending ? notVisible() : notTold() };
    return { ref, label, note, isPending, assetId: assetId ?? undefined, slot: of };
  });
}

/** Of a picture that is saved, while public reads don't show it. */
export function notVisible(): ArtworkError {
  const message = 'Not visible yet: it is saved, and public reads have not caught up.';
  return new ArtworkError('not_found', message, { code: 'not_published' });
}

function notTold(): ArtworkError {
  return new ArtworkError('not_found', 'The service does not show where this picture is.');
}

async function pictureAt(given: string, slot: string | undefined, context: Context): Promise<Picture> {
  // One that an answer has shown, or one of the form that they have.
  if (context.shownPaths.has(given) || (isPlainPath(given) && !(await isHere(given))))
    return pictureOfPath(given, slot);
  throw new ArtworkError(
    'invalid_arguments',
    'This path is not sent to the service: it leads to a folder of this machine, or it is no root-relative path without a query and without dots. Give it as an answer shows it, or give kind and id; a file on this machine goes into `file`, and lies below an upload folder.',
  );
}

/** Root-relative (interface document, Conventions), without a query, and without dots for a name however encoded. */
function isPlainPath(given: string): boolean {
  if (!/^\/[^/\\]/.test(given) || /[?#\\\p{Cc}]/u.test(given)) return false;
  const names = given.slice(1).split('/');
  const arePlain = names.every((name, at) => {
    const plain = decoded(name);
    // The last may be empty: a path can end with a slash.
    if (plain === null || /[/\\\p{Cc}]/u.test(plain) || (plain === '' && at < names.length - 1)) return false;
    // Some servers read `..;x` as dots with a parameter.
    return !/^\.{1,2}(?:;|$)/.test(plain);
  });
  // The URL is what is requested. It drops spaces at the end of a path, so that `.. ` becomes dots.
  return arePlain && decoded(new URL(given, 'http://service.invalid').pathname) === decoded(given);
}

/** Null for what is not well encoded. */
function decoded(name: string): string | null {
  try {
    return decodeURIComponent(name);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

/**
 * Whether this machine has the folders with which a path begins: both, of one that lies deeper than two. One alone tells
 * nothing, since machines and services both call a folder `media`, unless it is all that the path has.
 */
async function isHere(given: string): Promise<boolean> {
  const names = given.split('/').slice(1);
  const first = names.slice(0, Math.min(2, Math.max(1, names.length - 1)));
  try {
    await lstat(path.resolve('/', ...first));
    return true;
  } catch (error) {
    if (codeOf(error) === null) throw error;
    return codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR';
  }
}

/** As much as of a picture of the catalogue. Bytes. */
const mostBytes = 32 * 1024 * 1024;

/**
 * The bytes of a picture on this machine, to be shown: only from folders that are open for uploads.
 * @throws ArtworkError `invalid_arguments`, `upload_refused`, `cancelled`
 */
async function readLocalPicture(file: string, roots: Roots, signal: AbortSignal): Promise<Buffer> {
  const opened = await openFile(file, roots);
  try {
    const { length } = opened;
    if (length > mostBytes) {
      throw refusedFile('unreadable', `The file has ${length} bytes, which is too much to show it.`);
    }
    const chunks: Buffer[] = [];
    await contentOf(opened, { signal }, async (chunk) => void chunks.push(Buffer.from(chunk)));
    return Buffer.concat(chunks);
  } finally {
    await opened.close();
  }
}

/** Milliseconds of a call that are left for the sheet, the page and the answer. */
const reserveMs = 5_000;

/** Milliseconds that are left for reading pictures. */
export function readingMs({ deadline }: Context): number {
  return Math.max(0, deadline.left() - reserveMs);
}

function readingDeadline(context: Context): Deadline {
  return noLaterThan(context.deadline, readingMs(context));
}

async function rootsOf({ settings, roots }: Context): Promise<Roots> {
  return { configured: settings.uploadRoots, host: await roots() };
}

/**
 * The bytes of a picture, and the frame that stands for it: of an animated one of one's own the chosen one.
 * @throws ArtworkError where it can't be read, or is none
 */
export async function readChosen(picture: Picture, context: Context): Promise<ReadPicture> {
  const { headerOf } = await import('../../curation/show/picture.ts');
  const { ref, file, seenIn, frame, assetId } = picture;
  const bytes =
    file === undefined
      ? (await context.catalogue.fetchImage(ref, readingDeadline(context), seenIn)).bytes
      : await readLocalPicture(file, await rootsOf(context), context.signal);
  const { frames } = await headerOf(bytes);
  if (frames < 2 || frame !== undefined || assetId === undefined) return { bytes, frame: frame ?? 0 };
  return { bytes, frame: frameOf(await findOwnAsset(assetId, context)) ?? 0 };
}
