import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { Owned } from '../catalogue/owned.ts';
import { isRecord, type JsonRecord as Json } from '../catalogue/records/members.ts';
import type { Deadline } from '../deadline.ts';
import { ArtworkError, codeOf } from '../errors.ts';
import { drawnId, slotPathsOf } from './gaps.ts';

/** The two that `get_owned` tells apart. */
export type OwnType = 'set' | 'group';

/** A Set or group of the connected account's. */
export interface OwnHolder {
  readonly type: OwnType;
  readonly id: number;
  readonly record: Json;
  /** In the words of public reads, or talent_set and category_set; null where the record does not tell. */
  readonly kind: string | null;
  /** Null where the record does not tell. */
  readonly publicationStatus: string | null;
}

/** Of a Set or group. */
interface OwnPicture {
  readonly assetId: string | null;
  /** Null where the record does not tell. */
  readonly path: string | null;
  readonly slot: string;
  /** Whose picture it is, where the record tells: `episode 12`, `S01E02`. Never catalogue text. */
  readonly holder: string;
  /** Public reads, and so pictures, have not caught up. */
  readonly pending: boolean;
}

/** Kinds, slots and states are words; other text of the service never gets into a label or a sentence of ours. */
const word = z.string().regex(/^\w{1,40}$/);
const maybeWord = word.nullish().catch(null);
const facts = z.looseObject({ kind: maybeWord, setKind: maybeWord, publicationStatus: maybeWord });

/**
 * Reads a Set or group of the connected account's own, as what holds pictures.
 * @throws ArtworkError as `readSet` and `readGroup`
 */
export async function readHolder(
  owned: Pick<Owned, 'readSet' | 'readGroup'>,
  type: OwnType,
  id: number,
  deadline: Deadline,
): Promise<OwnHolder> {
  const record: Json =
    type === 'set' ? await owned.readSet(id, deadline) : await owned.readGroup(id, deadline);
  const { kind, setKind, publicationStatus } = facts.parse(record);
  return { type, id, record, kind: kind ?? setKind ?? null, publicationStatus: publicationStatus ?? null };
}

/**
 * A Set or group of the connected account's own; null where it can't be read, whatever the reason.
 * @throws ArtworkError `cancelled` alone
 */
export async function findHolder(
  account: () => Promise<{ readonly owned: Pick<Owned, 'readSet' | 'readGroup'> }>,
  type: OwnType,
  id: number,
  deadline: Deadline,
): Promise<OwnHolder | null> {
  try {
    return await readHolder((await account()).owned, type, id, deadline);
  } catch (error) {
    if (error instanceof ArtworkError && error.category !== 'cancelled') return null;
    throw error;
  }
}

// The interface document shows of owned Sets and groups their ids and revisions alone. That a Set lists its Assets,
// and a group its poster, is assumed, in the words of the other records.
const target = z.looseObject({ kind: word, id: drawnId });
const listed = z.looseObject({
  id: z.string().max(100).nullish().catch(null),
  slot: word,
  target: target.nullish().catch(null),
  targetKind: maybeWord,
  targetId: drawnId.nullish().catch(null),
  publicationStatus: maybeWord,
});

/** What it holds, in the order of the service; as public Sets name their pictures where it lists no Assets. */
export function ownPicturesOf({ record }: OwnHolder): OwnPicture[] {
  const assets = [...(Array.isArray(record.assets) ? record.assets : []), record.poster];
  const pictures = assets.flatMap((asset: unknown) => {
    const parsed = listed.safeParse(asset);
    return parsed.success ? [pictureOf(parsed.data)] : [];
  });
  if (pictures.length > 0) return pictures;
  return slotPathsOf(record).map(({ holder, slot, path }) => ({
    ...{ assetId: null, path, slot, holder, pending: false },
  }));
}

function pictureOf(asset: z.output<typeof listed>): OwnPicture {
  const kind = asset.target?.kind ?? asset.targetKind ?? null;
  const id = asset.target?.id ?? asset.targetId ?? null;
  return {
    assetId: asset.id ?? null,
    path: pathOfListedAsset(asset),
    slot: asset.slot,
    holder: kind === null || id === null ? '' : `${kind} ${id}`,
    pending: asset.publicationStatus === 'pending',
  };
}

/**
 * The path of an Asset as a list shows it. The shape of an Asset in lists is not shown in the document: any
 * root-relative path among its members serves.
 */
export function pathOfListedAsset(asset: unknown): string | null {
  if (typeof asset === 'string') return asset.startsWith('/') ? asset : null;
  if (typeof asset !== 'object' || asset === null) return null;
  const paths = Object.values(asset).filter((value) => typeof value === 'string' && /^\/[^/]/.test(value));
  return typeof paths[0] === 'string' ? paths[0] : null;
}

/** All Assets that the `assets` of an entity lists, whatever their slots. */
export function listedAssetsOf(groups: unknown): unknown[] {
  return isRecord(groups) ? Object.values(groups).filter(Array.isArray).flat() : [];
}

// The interface document says only that Asset paths are root-relative. Those that are known name the Asset's UUID.
const assetPath =
  /^\/([\w-]+\/)*[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}(\.(png|jpe?g|webp|gif))?(\?[\w=&.%-]*)?$/i;

/**
 * Whether a path that no answer has shown may be asked of the service: it has the form of an Asset's path,
 * and its first folder is none of this machine, whose paths are never sent.
 */
export async function isAssetPath(given: string): Promise<boolean> {
  return assetPath.test(given) && !(await isHere(given));
}

async function isHere(given: string): Promise<boolean> {
  const [, first = ''] = given.split('/');
  try {
    await lstat(path.resolve('/', first));
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    if (codeOf(error) === null) throw error;
    return true;
  }
}
