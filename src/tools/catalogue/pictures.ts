import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { isRecord } from '../../catalogue/records/members.ts';
import type { OwnedAsset } from '../../catalogue/records/owned.ts';
import { findOwnSet, readOwnSet } from '../../curation/own-sets.ts';
import type { Plan } from '../../curation/plan/plan.ts';
import {
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
  type Withheld,
} from '../../curation/show/found.ts';
import type { FoundOf } from '../../curation/show/gallery.ts';
import type { ReadPicture } from '../../curation/show/save.ts';
import { noLaterThan } from '../../deadline.ts';
import { ArtworkError, codeOf } from '../../errors.ts';
import { contentOf } from '../../files/content.ts';
import { imageFormat } from '../../files/decode.ts';
import { openFile } from '../../files/open-file.ts';
import { refusedFile } from '../../files/refusal.ts';
import { catalogueId } from '../../mcp/arguments.ts';
import type { Context } from '../../mcp/context.ts';
import { entityKind, setKind } from '../../mcp/kinds.ts';
import { ownAssetOf, pathOfAsset } from '../../model/asset.ts';
import {
  isKind,
  isSetKind,
  type Kind,
  kindWords,
  type SetKind,
  slotsOf,
  slotsWithin,
} from '../../model/kinds.ts';
import type { OwnSet } from '../../model/own-set.ts';
import { setOf } from '../../model/set.ts';
import { slotMeant, slotWords } from '../../model/slots.ts';
import { keyOfTarget, labelOf } from '../../model/target.ts';
import { targetOf } from '../../model/work.ts';
import { ownTypeOf, pendingOn, readOrExplain, readOwn } from '../own.ts';

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
    slot: z.string().max(60).optional().describe('poster: the main one; posters: all'),
    assetId: z.uuid().optional().describe('your own'),
    path: z.string().max(4_000).optional().describe('an Asset path'),
    url: z.string().max(2_000).optional().describe('a metadataImages URL'),
    file: z.string().max(4_096).optional().describe('on this machine; with planId as the plan shows it'),
  })
  // A Set has no lists beside its slots, so any word for one means it. What an entity has tells its record.
  .overwrite((item) =>
    item.kind === undefined || item.slot === undefined || isKind(item.kind)
      ? item
      : { ...item, slot: slotMeant(item.slot, slotsWithin(item.kind)) ?? item.slot },
  );
export type ArtworkItem = z.output<typeof artworkItem>;

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
    if (!(error instanceof ArtworkError) || error.failure === 'cancelled') throw error;
    const words = Object.values(item).filter((word) => word !== undefined);
    const label = words.length === 0 ? 'an empty item' : words.join(' ').slice(0, 200);
    return { title: label, found: [{ label, error }] };
  }
}

async function foundOf(item: ArtworkItem, looking: Looking): Promise<FoundOf> {
  const { kind, id, slot, assetId, path: given, url, file } = item;
  const { context, plan } = looking;
  // Beside a URL, kind and id tell whose image it is.
  const isNamed = kind !== undefined && id !== undefined && url === undefined;
  const ways = [assetId, given, url, file].filter((way) => way !== undefined).length + (isNamed ? 1 : 0);
  if (ways !== 1) {
    const message = 'Each item is one of {kind,id,slot?}, {assetId}, {path}, {url} or {file}.';
    throw new ArtworkError('invalid_arguments', message);
  }
  const alone = (picture: Picture): FoundOf => ({ title: picture.label, found: [picture] });
  if (assetId !== undefined) return alone(await ownPicture(assetId, looking));
  if (file !== undefined) return alone(pictureOfFile(file, slot, plan));
  // A path is judged as one wherever it is given.
  const address = given ?? (url?.startsWith('/') === true ? url : undefined);
  if (address !== undefined) {
    await requireServicePath(address, context);
    return alone(pictureOfPath(address, slot, shownLabel(address, looking)));
  }
  if (url !== undefined) {
    const seenIn = kind !== undefined && isKind(kind) && id !== undefined ? { kind, id } : undefined;
    return alone({ ref: url, label: slot ?? 'image', slot, seenIn });
  }
  if (kind === undefined || id === undefined) throw new TypeError('An item that was counted has no name.');
  if (isSetKind(kind)) return ofSet(kind, id, slot ?? null, looking);
  if (isKind(kind)) return ofEntity(kind, id, slot ?? null, looking);
  const { owned } = await context.account();
  const own = await readOwnSet(owned, 'set', id, context.deadline);
  const found = ownPictures({ ...own, kind: own.kind ?? kind }, slot ?? null, looking);
  if (found.length > 0) return { kind, title: own.title || kindWords(kind), found };
  throw nothingThere(`Your ${kindWords(kind)} ${id}`, slot ?? null, own);
}

function nothingThere(what: string, slot: string | null, own: OwnSet | null): ArtworkError {
  const message = `${what} has no ${slot === null ? 'picture' : slotWords(slot)}.`;
  return new ArtworkError('not_found', message, own === null ? {} : { next: readOwn(own) });
}

/** Public reads lag: what the account changed in a Set, and a Set that they don't show, is taken from its own record. */
async function ofSet(kind: SetKind, id: number, slot: string | null, looking: Looking): Promise<FoundOf> {
  const { among, context } = looking;
  const read = await orNotFound(() => context.catalogue.readSet(kind, id, context.deadline));
  const set = read instanceof ArtworkError ? null : setOf(kind, id, read);
  const shown = set === null ? [] : picturesOfSet(set, slot, among);
  if (set !== null) learnLabels((beside) => picturesOfSet(set, slot, beside), context);
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

/** What is read, or the error that it is not there. */
async function orNotFound<Value>(read: () => Promise<Value>): Promise<Value | ArtworkError> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ArtworkError && error.failure === 'not_found') return error;
    throw error;
  }
}

/** The pictures of an entity, with the account's uploads that public reads don't show yet. */
async function ofEntity(kind: Kind, id: number, slot: string | null, looking: Looking): Promise<FoundOf> {
  const { among, context } = looking;
  const record = await readOrExplain(kind, id, context, () =>
    context.catalogue.readEntity(kind, id, context.deadline),
  );
  const found: Found[] = picturesOfEntity({ kind, id, record }, slot, among);
  learnLabels((beside) => picturesOfEntity({ kind, id, record }, slot, beside), context);
  const shown = new Set(found.map((one) => ('assetId' in one ? one.assetId : undefined)));
  const wanted = slot === null ? null : slotMeant(slot, slotsOf(kind));
  const touched = (await pendingOn([{ kind, id }], context)).map((change) => change.id);
  const uploads = touched.flatMap((one) =>
    one?.kind === 'asset' && one.id !== null ? [String(one.id)] : [],
  );
  for (const assetId of new Set(uploads)) {
    const asset = shown.has(assetId) ? null : await findOwnAsset(assetId, context);
    const own = asset === null ? null : ownAssetOf(asset);
    const isElsewhere = own?.target != null && keyOfTarget(own.target) !== keyOfTarget({ kind, id });
    if (asset === null || isElsewhere || (slot !== null && own?.slot !== wanted)) continue;
    found.push(ownCopy(asset, `your new ${slotWords(own?.slot ?? 'picture')}`));
  }
  const target = targetOf(kind, { ...record, id });
  const title = (target === null ? '' : labelOf(target)) || kindWords(kind);
  if (found.length > 0) return { kind, title, found };
  throw nothingThere(`This ${kindWords(kind).toLowerCase()}`, slot, null);
}

/** Only the account's own Assets can be read by their id (Endpoints: Protected reads). */
async function ownPicture(assetId: string, looking: Looking): Promise<Picture> {
  const { among, context } = looking;
  const { catalogue, deadline } = context;
  const asset = await (await context.account()).owned.readAsset(assetId, deadline);
  const [own, path] = [ownAssetOf(asset), pathOfAsset(asset)];
  const known = path === null ? undefined : shownLabel(path, looking);
  const target = own?.target;
  // The record tells the id of a season or an episode: its number is in its own record, whose name is then known.
  if (known === undefined && (target?.kind === 'season' || target?.kind === 'episode'))
    await orNotFound(() => catalogue.readEntity(target.kind, target.id, deadline));
  const told = own === null ? labelOfAsset(assetId) : labelOfOwnAsset(own, among, catalogue.nameOf);
  const picture = ownCopy(asset, known ?? told);
  if ('ref' in picture) return picture;
  throw picture.error;
}

/** What an answer has called the picture at a path; undefined where none has. */
function shownLabel(path: string, { among, context }: Looking): string | undefined {
  return context.shownPaths.labelOf(path)?.[among ? 'among' : 'alone'];
}

function learnLabels(find: (among: boolean) => readonly Found[], { shownPaths }: Context): void {
  const labels = labelsOf(find);
  shownPaths.learn([...labels.keys()], labels);
}

/** An Asset of the account's own that any reason keeps from being read is not there. @throws ArtworkError `cancelled` */
async function findOwnAsset(assetId: string, context: Context): Promise<OwnedAsset | null> {
  if (!context.hasStore()) return null;
  try {
    return await (await context.account()).owned.readAsset(assetId, context.deadline);
  } catch (error) {
    if (error instanceof ArtworkError && error.failure !== 'cancelled') return null;
    throw error;
  }
}

function ownCopy(asset: OwnedAsset, label: string): Picture | Withheld {
  const own = ownAssetOf(asset);
  const isPending = asset.publicationStatus === 'pending';
  const ref = pathOfAsset(asset);
  if (ref === null) return { label, error: isPending ? notVisible() : notTold() };
  return { ref, label, isPending, frame: frameOf(asset), assetId: own?.id, slot: own?.slot ?? undefined };
}

function frameOf(asset: unknown): number | undefined {
  const frame = isRecord(asset) ? asset.selectedSourceFrame : undefined;
  return typeof frame === 'number' && Number.isSafeInteger(frame) ? frame : undefined;
}

/** What a Set or group of one's own holds, whether public reads show it or not. */
function ownPictures(own: OwnSet, slot: string | null, { among, context }: Looking): (Picture | Withheld)[] {
  return picturesOfOwnSet(own, { slot, among }, context.catalogue.nameOf).map((one) => {
    const { label, note, path: ref, assetId, slot: of } = one;
    const isPending = own.publicationStatus === 'pending' || one.isPending;
    if (ref === null) return { label, error: isPending ? notVisible() : notTold() };
    return { ref, label, note, isPending, assetId: assetId ?? undefined, slot: of };
  });
}

/** Of a picture that is saved, while public reads don't show it. */
export function notVisible(): ArtworkError {
  const message = 'Not visible yet: the picture is saved, but the service has not published it.';
  return new ArtworkError('not_found', message, { code: 'not_published' });
}

function notTold(): ArtworkError {
  return new ArtworkError('not_found', 'The service does not show where this picture is.');
}

/**
 * Only a path that an answer has shown, or one of the form that they have, goes to the service: a path of this machine
 * would tell what lies on it.
 * @throws ArtworkError `invalid_arguments`
 */
async function requireServicePath(given: string, context: Context): Promise<void> {
  if (context.shownPaths.has(given) || (isPlainPath(given) && !(await isHere(given)))) return;
  const message =
    'This path is not sent to the service, for it is on this machine or not plain. Give a path as an answer shows it. For a file of this machine, use `file`.';
  throw new ArtworkError('invalid_arguments', message);
}

/** Root-relative (interface document, Conventions), without a query, and without dots for a name however encoded. */
function isPlainPath(given: string): boolean {
  if (!/^\/[^/\\]/.test(given) || /[?#\\\p{Cc}]/u.test(given)) return false;
  const plain = decoded(given);
  // Some servers read `..;x` as dots with a parameter.
  if (plain === null || /[\\\p{Cc}]/u.test(plain) || /\/\.{1,2}(?:[;/]|$)/.test(plain)) return false;
  // The URL is what is requested: it drops spaces at the end of a path, so that `.. ` becomes dots.
  return decoded(new URL(given, 'http://service.invalid').pathname) === plain;
}

/** Null for what is not well encoded. */
function decoded(given: string): string | null {
  try {
    return decodeURIComponent(given);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

/**
 * Whether this machine has the first two folders of a path. One alone tells nothing, since machines and services both
 * call a folder `media`, unless the path has no more.
 */
async function isHere(given: string): Promise<boolean> {
  const names = given.split('/').slice(1);
  try {
    await lstat(path.resolve('/', ...names.slice(0, Math.min(2, Math.max(1, names.length - 1)))));
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

/** Milliseconds of a call that are left for the sheet, the page and the answer. */
const reserveMs = 5_000;

/** Milliseconds that are left for reading pictures. */
export function readingMs({ deadline }: Context): number {
  return Math.max(0, deadline.left() - reserveMs);
}

/**
 * The bytes of a picture, and the frame that stands for it: of an animated one of one's own the chosen one.
 * @throws ArtworkError where it can't be read, or is none
 */
export async function readChosen(picture: Picture, context: Context): Promise<ReadPicture> {
  const { ref, file, seenIn, frame, assetId } = picture;
  const deadline = noLaterThan(context.deadline, readingMs(context));
  const bytes =
    file === undefined
      ? (await context.catalogue.fetchImage(ref, deadline, seenIn)).bytes
      : await readLocalPicture(file, context);
  // Of all animated pictures only these are read frame by frame.
  const mayMove = ['webp', 'gif'].includes(imageFormat(bytes) ?? '');
  if (frame !== undefined || assetId === undefined || !mayMove) return { bytes, frame: frame ?? 0 };
  const { headerOf } = await import('../../curation/show/picture.ts');
  if ((await headerOf(bytes)).frames < 2) return { bytes, frame: 0 };
  return { bytes, frame: frameOf(await findOwnAsset(assetId, context)) ?? 0 };
}
