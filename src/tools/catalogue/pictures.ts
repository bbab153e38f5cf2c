import type { EntityKind, SetKind } from '../../catalogue/records/index.ts';
import { slotPathsOf } from '../../curation/gaps.ts';
import { ArtworkError } from '../../errors.ts';
import { entityKind, setKind } from '../../mcp/arguments.ts';
import type { Context } from '../../mcp/context.ts';

/** One item of view_artwork's arguments. */
export interface ArtworkItem {
  readonly kind?: EntityKind | SetKind | undefined;
  readonly id?: number | undefined;
  readonly slot?: string | undefined;
  readonly assetId?: string | undefined;
  readonly path?: string | undefined;
  readonly url?: string | undefined;
}

/** Something that can be fetched and shown. */
export interface Picture {
  /** A root-relative path or an absolute URL, as the catalogue gave it. */
  readonly ref: string;
  /** Made of our own words only, since it is drawn on the sheet. */
  readonly label: string;
  /** The entity whose `metadataImages` hold the URL. */
  readonly seenIn?: { readonly kind: EntityKind; readonly id: number } | undefined;
}

/** Slots that stand for an entity when none is named, the best first. */
const usualSlots = ['poster', 'cover', 'profile', 'backdrop', 'titlecard', 'logo'];

/**
 * The pictures that an item names: one, or for a Set all that it has.
 * @throws ArtworkError `invalid_arguments` or `not_found` when it names none.
 */
export async function picturesOf(item: ArtworkItem, context: Context): Promise<Picture[]> {
  const { kind, id, slot } = item;
  if (item.path !== undefined) return [{ ref: item.path, label: slot ?? 'asset' }];
  if (item.url !== undefined) {
    const entity = entityKind.safeParse(kind);
    const seenIn = entity.success && id !== undefined ? { kind: entity.data, id } : undefined;
    return [{ ref: item.url, label: slot ?? 'image', seenIn }];
  }
  if (kind !== undefined && id !== undefined) {
    const set = setKind.safeParse(kind);
    if (set.success) return await picturesOfSet(set.data, id, slot, context);
    return [await pictureOfEntity(entityKind.parse(kind), id, slot, context)];
  }
  if (item.assetId !== undefined) {
    throw new ArtworkError(
      'not_found',
      'The service shows no picture for an Asset id alone. Pass the path that came with the Asset.',
    );
  }
  throw new ArtworkError(
    'invalid_arguments',
    'An item is one of {kind,id,slot?}, {assetId}, {path} or {url}.',
  );
}

async function picturesOfSet(
  kind: SetKind,
  id: number,
  slot: string | undefined,
  context: Context,
): Promise<Picture[]> {
  const set = await context.catalogue.readSet(kind, id, context.call());
  const paths = slotPathsOf(set).filter((found) => slot === undefined || found.slot === slot);
  if (paths.length === 0) {
    throw new ArtworkError(
      'not_found',
      `This ${kind} has no ${slot ?? 'picture'}. get_set shows what it has.`,
    );
  }
  return paths.map(({ holder, slot: own, path }) => ({ ref: path, label: `${holder} ${own}`.trim() }));
}

async function pictureOfEntity(
  kind: EntityKind,
  id: number,
  slot: string | undefined,
  context: Context,
): Promise<Picture> {
  const entity: Readonly<Record<string, unknown>> = await context.catalogue.readEntity(
    kind,
    id,
    context.call(),
  );
  for (const wanted of slot === undefined ? usualSlots : [slot]) {
    const label = `${kind} ${id} ${wanted}`;
    const image = memberOf(entity.metadataImages, wanted);
    if (typeof image === 'string') return { ref: image, label, seenIn: { kind, id } };
    const group = memberOf(entity.assets, wanted) ?? memberOf(entity.assets, pluralOf(wanted));
    const path = Array.isArray(group) ? group.map(pathOf).find((found) => found !== null) : undefined;
    if (typeof path === 'string') return { ref: path, label };
  }
  throw new ArtworkError(
    'not_found',
    `This ${kind} has no ${slot ?? 'picture'}. get_entity shows what it has.`,
  );
}

/** The shape of the elements of `assets` is not shown in the document: any root-relative path among them serves. */
function pathOf(asset: unknown): string | null {
  if (typeof asset === 'string') return asset.startsWith('/') ? asset : null;
  if (typeof asset !== 'object' || asset === null) return null;
  const paths = Object.values(asset).filter((value) => typeof value === 'string' && /^\/[^/]/.test(value));
  return typeof paths[0] === 'string' ? paths[0] : null;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

function pluralOf(slot: string): string {
  return slot === 'hero' ? 'heroes' : `${slot}s`;
}
