import { z } from 'zod';
import type { EntityKind, SetKind } from '../../catalogue/records/kinds.ts';
import type { Plan } from '../../curation/plan/plan.ts';
import { findOwnSet, readOwnSet } from '../../curation/read-own-set.ts';
import { isAssetPath } from '../../curation/show/asset-path.ts';
import {
  type Found,
  labelOfAsset,
  type Picture,
  pictureOfFile,
  pictureOfPath,
  type Withheld,
} from '../../curation/show/picture.ts';
import { picturesOfEntity, picturesOfOwnSet, picturesOfSet } from '../../curation/show/pictures-of.ts';
import { ArtworkError } from '../../errors.ts';
import type { Context } from '../../mcp/context.ts';
import { entityKind, setKind } from '../../mcp/kinds.ts';
import { pathOfAsset } from '../../model/asset.ts';
import type { OwnSet, OwnType } from '../../model/own-set.ts';
import { setOf } from '../../model/set.ts';
import { type ArtworkItem, ownKinds } from './artwork-item.ts';
import { ownTypeOf, readOrExplain, readOwn } from './not-there.ts';

/**
 * The pictures that an item names: one, or all of a Set or of a list of Assets.
 * @param among whether other items stand beside it, so that labels must tell whose picture it is
 * @param plan whose files `file` may name as it shows them
 * @throws ArtworkError `invalid_arguments` or `not_found` when it names none.
 */
export async function picturesOf(
  item: ArtworkItem,
  among: boolean,
  plan: Plan | null,
  context: Context,
): Promise<readonly Found[]> {
  const { kind, id, slot } = item;
  const entity = entityKind.safeParse(kind);
  const set = setKind.safeParse(kind);
  const own = z.enum(ownKinds).safeParse(kind);
  switch (waysIn(item).join()) {
    case 'path':
      return [await pictureAt(item.path ?? '', slot, context)];
    case 'file':
      return [pictureOfFile(item.file ?? '', slot, plan)];
    case 'url': {
      const url = item.url ?? '';
      // A path is judged as one wherever it is given.
      if (url.startsWith('/')) return [await pictureAt(url, slot, context)];
      const seenIn = entity.success && id !== undefined ? { kind: entity.data, id } : undefined;
      return [{ ref: url, label: slot ?? 'image', seenIn }];
    }
    case 'assetId':
      return [await ownPicture(item.assetId ?? '', context)];
    case 'id': {
      if (id === undefined) break;
      const word = slot ?? null;
      if (set.success) return ofSet(set.data, id, word, among, context);
      if (entity.success) return ofEntity(entity.data, id, word, context);
      if (own.success) return ofOwnSet(own.data, id, word, among, context);
    }
  }
  throw new ArtworkError(
    'invalid_arguments',
    'An item is one of {kind,id,slot?}, {assetId}, {path}, {url} or {file}, and only one of them.',
  );
}

async function pictureAt(path: string, slot: string | undefined, context: Context): Promise<Picture> {
  // One that an answer has shown, or one of the form that they have.
  if (context.shownPaths.has(path) || (await isAssetPath(path))) return pictureOfPath(path, slot);
  throw new ArtworkError(
    'invalid_arguments',
    'This path is not sent to the service: it leads to a folder of this machine, or it is no root-relative path without a query and without dots. Give it as an answer shows it, or give kind and id; a file on this machine goes into `file`, and lies below an upload folder.',
  );
}

/** kind and id may stand beside a URL: they tell whose image it is. */
function waysIn({ kind, id, assetId, path, url, file }: ArtworkItem): string[] {
  const ways = Object.entries({ assetId, path, url, file }).filter(([, value]) => value !== undefined);
  const named = ways.map(([way]) => way);
  return kind !== undefined && id !== undefined && url === undefined ? [...named, 'id'] : named;
}

/** Only the account's own Assets can be read by their id (Endpoints: Protected reads). */
async function ownPicture(assetId: string, context: Context): Promise<Picture> {
  const { owned } = await context.account();
  const asset = await owned.readAsset(assetId, context.deadline);
  if (asset.publicationStatus === 'pending') throw notPublished('This Asset', 'asset', assetId);
  const path = pathOfAsset(asset);
  if (path !== null) return { ref: path, label: labelOfAsset(assetId), assetId };
  throw new ArtworkError(
    'not_found',
    'The service does not show where the picture of this Asset is. The Set or entity that it belongs to shows its path.',
  );
}

async function ofSet(
  kind: SetKind,
  id: number,
  slot: string | null,
  among: boolean,
  context: Context,
): Promise<readonly Found[]> {
  const set = await readPublicOrOwn(kind, id, context);
  if (set.of === 'account') return ownPictures(set.own, slot, among);
  const pictures = picturesOfSet(set.set, slot, among);
  if (pictures.length > 0) return pictures;
  throw new ArtworkError('not_found', `This ${kind} has no ${slot ?? 'picture'}. get_set shows what it has.`);
}

/** A Set of one's own is there before public reads show it. */
async function readPublicOrOwn(kind: SetKind, id: number, context: Context) {
  try {
    const record = await context.catalogue.readSet(kind, id, context.deadline);
    return { of: 'catalogue' as const, set: setOf(kind, id, record) };
  } catch (error) {
    if (!(error instanceof ArtworkError) || error.category !== 'not_found') throw error;
    const own = await findOwnSet(context.account, ownTypeOf(kind), id, context.deadline);
    if (own === null) throw error;
    return { of: 'account' as const, own };
  }
}

async function ofOwnSet(
  kind: (typeof ownKinds)[number],
  id: number,
  slot: string | null,
  among: boolean,
  context: Context,
): Promise<(Picture | Withheld)[]> {
  const own = await readOwnSet((await context.account()).owned, 'set', id, context.deadline);
  return ownPictures({ ...own, kind: own.kind ?? kind }, slot, among);
}

/** What a Set or group of one's own holds, whether public reads show it or not. */
function ownPictures(own: OwnSet, slot: string | null, among: boolean): (Picture | Withheld)[] {
  const { id, type } = own;
  const kind = own.kind ?? type;
  const pictures = picturesOfOwnSet(own, slot, among);
  if (pictures.length === 0) {
    const what = slot ?? 'picture that the service shows';
    throw new ArtworkError('not_found', `Your ${kind} ${id} has no ${what}.`, { next: readOwn(own) });
  }
  if (pictures.every(({ isPending }) => isPending)) throw notPublished(`Your ${kind} ${id}`, type, id);
  return pictures.map(({ label, path, isPending, assetId }) => {
    if (isPending) return { label, error: notPublished('This Asset', type, id) };
    if (path !== null) return { ref: path, label, assetId: assetId ?? undefined };
    const words = 'The service does not show where this picture is.';
    return { label, error: new ArtworkError('not_found', words, { next: readOwn(own) }) };
  });
}

function notPublished(what: string, type: OwnType | 'asset', id: string | number): ArtworkError {
  return new ArtworkError(
    'not_found',
    `${what} is saved, and its publication is pending: its pictures can be looked at once public reads have caught up.`,
    {
      code: 'not_published',
      next: {
        why: `Public reads catch up by themselves, most often within seconds: make the same view_artwork call again after some. get_owned ${JSON.stringify({ type, id })} shows publicationStatus meanwhile.`,
      },
    },
  );
}

async function ofEntity(
  kind: EntityKind,
  id: number,
  slot: string | null,
  context: Context,
): Promise<Picture[]> {
  const record = await readOrExplain(kind, id, context, () =>
    context.catalogue.readEntity(kind, id, context.deadline),
  );
  const pictures = picturesOfEntity(kind, id, record, slot);
  if (pictures.length > 0) return pictures;
  throw new ArtworkError(
    'not_found',
    `This ${kind} has no ${slot ?? 'picture'}. get_entity shows what it has.`,
  );
}
