import { z } from 'zod';
import type { EntityKind, SetKind } from '../../catalogue/records/kinds.ts';
import { assetIdIn } from '../../curation/audits/set-facts.ts';
import { gapStateOf, slotPlacesOf } from '../../curation/gaps.ts';
import { lackingIn } from '../../curation/lacking.ts';
import {
  findHolder,
  isAssetPath,
  type OwnHolder,
  type OwnType,
  ownPicturesOf,
  pathOfListedAsset,
  readHolder,
} from '../../curation/own-artwork.ts';
import type { Plan } from '../../curation/plan/plan.ts';
import { ArtworkError } from '../../errors.ts';
import type { Context } from '../../mcp/context.ts';
import { entityKind, setKind } from '../../mcp/kinds.ts';
import { type ArtworkItem, ownKinds } from './artwork-item.ts';
import { amongOtherKinds, ownTypeOf, readOrExplain, readOwn, readOwnOrExplain } from './not-there.ts';
import { creditOf, joinGapLabels, type Picture, pictureOfFile } from './picture.ts';

/** A picture that there is, and that can't be shown. */
export interface Withheld {
  readonly label: string;
  readonly error: ArtworkError;
}

/** Places of a Set that lack their picture: one, or several that follow one another. */
export interface Lacking {
  readonly label: string;
  readonly slot: string;
  readonly missing: number;
}

/** Slots that stand for an entity when none is named, the best first. */
const usualSlots = ['poster', 'cover', 'profile', 'backdrop', 'titlecard', 'logo'];

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
): Promise<(Picture | Withheld | Lacking)[]> {
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
    case 'id':
      if (id !== undefined && set.success) return await picturesOfSet(set.data, id, slot, among, context);
      if (id !== undefined && entity.success) return await picturesOfEntity(entity.data, id, slot, context);
      if (id !== undefined && own.success) return await picturesOfOwn(own.data, id, slot, among, context);
  }
  throw new ArtworkError(
    'invalid_arguments',
    'An item is one of {kind,id,slot?}, {assetId}, {path}, {url} or {file}, and only one of them.',
  );
}

/** Whether a path may be asked of the service: one that an answer has shown, or one of the form that they have. */
export async function isPictureOfService(path: string, { shownPaths }: Context): Promise<boolean> {
  return shownPaths.has(path) || (await isAssetPath(path));
}

async function pictureAt(path: string, slot: string | undefined, context: Context): Promise<Picture> {
  if (await isPictureOfService(path, context)) return { ref: path, label: slot ?? nameOfPath(path) };
  throw new ArtworkError(
    'invalid_arguments',
    'This path is none that an answer has shown, so it is not sent to the service. Read what it belongs to again with get_entity, get_set or get_owned, or give kind and id; a file on this machine goes into `file`, and lies below an upload folder.',
  );
}

function nameOfPath(path: string): string {
  const assetId = assetIdIn(path);
  return assetId === null ? 'asset' : nameOfAsset(assetId);
}

function nameOfAsset(assetId: string): string {
  return `asset ${assetId.slice(0, 8)}`;
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
  const asset = await readOwnOrExplain('asset', assetId, context, () =>
    owned.readAsset(assetId, context.deadline),
  );
  if (asset.publicationStatus === 'pending') throw notPublished('This Asset', 'asset', assetId);
  const path = pathOfListedAsset(asset);
  if (path !== null) return { ref: path, label: nameOfAsset(assetId), assetId };
  throw new ArtworkError(
    'not_found',
    'The service does not show where the picture of this Asset is. The Set or entity that it belongs to shows its path.',
  );
}

async function picturesOfSet(
  kind: SetKind,
  id: number,
  slot: string | undefined,
  among: boolean,
  context: Context,
): Promise<(Picture | Withheld | Lacking)[]> {
  let set: Readonly<Record<string, unknown>>;
  try {
    set = await context.catalogue.readSet(kind, id, context.deadline);
  } catch (error) {
    if (!(error instanceof ArtworkError) || error.category !== 'not_found') throw error;
    const own = await findHolder(context.account, ownTypeOf(kind), id, context.deadline);
    if (own !== null) return ownPictures(own, slot, among);
    throw await amongOtherKinds(kind, id, error, context);
  }
  const places = slotPlacesOf(set).filter((found) => isOfSlot(found.slot, slot));
  if (places.every(({ path }) => path === null)) {
    throw new ArtworkError(
      'not_found',
      `This ${kind} has no ${slot ?? 'picture'}. get_set shows what it has.`,
    );
  }
  const whose = among ? `${kind} ${id} ` : '';
  const credit = creditOf(set.createdBy, set.language);
  const labelled = (holder: string, own: string) => `${whose}${holder} ${own}`.replace(/ +/g, ' ').trim();
  const states = places.map(gapStateOf);
  const unmeant = new Set(lackingIn(states).unmeant);
  return joinGapLabels(states.filter((place) => !unmeant.has(place))).map((place) =>
    place.path === null
      ? { label: labelled(place.holder, place.slot), slot: place.slot, missing: place.count }
      : { ref: place.path, label: labelled(place.holder, place.slot), credit },
  );
}

async function picturesOfOwn(
  kind: (typeof ownKinds)[number],
  id: number,
  slot: string | undefined,
  among: boolean,
  context: Context,
): Promise<(Picture | Withheld)[]> {
  const own = await readOwnOrExplain('set', id, context, async () =>
    readHolder((await context.account()).owned, 'set', id, context.deadline),
  );
  return ownPictures(own.kind === null ? { ...own, kind } : own, slot, among);
}

/** What a Set or group of one's own holds, whether public reads show it or not. */
function ownPictures(own: OwnHolder, slot: string | undefined, among: boolean): (Picture | Withheld)[] {
  const { id, type } = own;
  const kind = own.kind ?? type;
  const pictures = ownPicturesOf(own).filter((one) => isOfSlot(one.slot, slot));
  if (pictures.length === 0) {
    const what = slot ?? 'picture that the service shows';
    throw new ArtworkError('not_found', `Your ${kind} ${id} has no ${what}.`, { next: readOwn(own) });
  }
  if (pictures.every(({ pending }) => pending)) throw notPublished(`Your ${kind} ${id}`, type, id);
  const whose = among ? `${kind} ${id} ` : '';
  const times = new Map<string, number>();
  return pictures.map(({ holder, slot: its, path, pending, assetId }) => {
    const name = `${whose}${holder} ${its}`.replace(/ +/g, ' ').trim();
    const time = (times.get(name) ?? 0) + 1;
    times.set(name, time);
    const label = time === 1 ? name : `${name} (${time})`;
    if (pending) return { label, error: notPublished('This Asset', type, id) };
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

/** A Set has one picture of a slot for each of what it is for; a word for several means the same slot. */
function isOfSlot(slot: string, wanted: string | undefined): boolean {
  return wanted === undefined || slot === wanted || pluralOf(slot) === wanted;
}

/** One picture for a slot; a list's own name, such as posters, stands for all that are in it. */
async function picturesOfEntity(
  kind: EntityKind,
  id: number,
  slot: string | undefined,
  context: Context,
): Promise<Picture[]> {
  const entity: Readonly<Record<string, unknown>> = await readOrExplain(kind, id, context, () =>
    context.catalogue.readEntity(kind, id, context.deadline),
  );
  const list = slot === undefined ? undefined : memberOf(entity.assets, slot.replace(/^assets\./, ''));
  if (Array.isArray(list)) {
    const pictures = list.flatMap((asset: unknown): Picture[] => {
      const ref = pathOfListedAsset(asset);
      return ref === null
        ? []
        : [
            {
              ref,
              label: '',
              credit: creditOf(memberOf(asset, 'createdBy'), memberOf(asset, 'languageCode')),
            },
          ];
    });
    if (pictures.length > 0) {
      return pictures.map((one, index) => ({ ...one, label: `${kind} ${id} ${slot} ${index + 1}` }));
    }
  }
  for (const wanted of slot === undefined ? usualSlots : [slot]) {
    const label = `${kind} ${id} ${wanted}`;
    const list = pluralOf(wanted);
    const group = memberOf(entity.assets, list);
    const assets = (Array.isArray(group) ? group : []).filter((asset) => pathOfListedAsset(asset) !== null);
    const others = (returned: number) =>
      assets.length > returned ? { kind, id, slot: list, total: assets.length, returned } : undefined;
    const image = memberOf(entity.metadataImages, wanted);
    if (typeof image === 'string') {
      return [{ ref: image, label, seenIn: { kind, id }, others: others(0) }];
    }
    const [first]: readonly unknown[] = assets;
    const path = pathOfListedAsset(first);
    const credit = creditOf(memberOf(first, 'createdBy'), memberOf(first, 'languageCode'));
    if (path !== null) return [{ ref: path, label, credit, others: others(1) }];
  }
  throw new ArtworkError(
    'not_found',
    `This ${kind} has no ${slot ?? 'picture'}. get_entity shows what it has.`,
  );
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

function pluralOf(slot: string): string {
  return slot === 'hero' ? 'heroes' : `${slot}s`;
}
