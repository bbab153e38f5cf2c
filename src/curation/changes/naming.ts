import type { Call, Catalogue } from '../../catalogue/client.ts';
import {
  type EntityKind,
  entities,
  type SetKind,
  sets as setKinds,
  shortName,
} from '../../catalogue/records/kinds.ts';
import { isRecord } from '../../catalogue/records/members.ts';
import { ArtworkError } from '../../errors.ts';
import { assetIdIn, factsOfSet, type SetFacts } from '../audits/set-facts.ts';
import { pathOfListedAsset } from '../own-artwork.ts';

/** What a target is called, without a read; null where that is not known. Here an index of titles can answer. */
export type TitleOf = (kind: string, id: number) => string | null;

/** What the lists of an entity tell of one Asset: their shape is not shown in the interface document. */
export interface ListedAsset {
  readonly by: string | null;
  readonly setId: number | null;
  readonly path: string | null;
}

/** A target, with what it is part of. */
export interface ArtworkHolder {
  readonly listed: ListedAsset | null;
  /** The show and the season of an episode, the show of a season. */
  readonly within: readonly { readonly kind: string; readonly id: number }[];
}

/** Asks the catalogue whose and what something is: each only once, and no more than one call may. */
export interface Naming {
  /** Null: there is no such Set any more, or it can't be read. */
  set(kind: string, id: number): Promise<SetFacts | null>;
  /** Null as above; of a kind that has no public read too. */
  holder(kind: string, id: number, assetId: string): Promise<ArtworkHolder | null>;
  titleOf(kind: string, id: number): Promise<string | null>;
  /** Whether a Set or entity may still be asked for. */
  hasRoom(): boolean;
  /** Those that could not be read although they may be there. */
  readonly unread: ReadonlySet<string>;
}

export interface NamingReads {
  readonly catalogue: Pick<Catalogue, 'readEntity' | 'readSet' | 'nameOf'>;
  readonly titleOf?: TitleOf | undefined;
  call(): Call;
}

/**
 * Reads what the Sets and entities of changes are called, each once.
 * @param most reads of Sets and entities that one call makes
 */
export function createNaming({ catalogue, call, titleOf = () => null }: NamingReads, most: number): Naming {
  const sets = new Map<string, Promise<SetFacts | null>>();
  const works = new Map<string, Promise<Json | null>>();
  const unread = new Set<string>();
  const readSoFar = () => sets.size + works.size;
  const entity = (kind: EntityKind, id: number) =>
    once(works, `${kind} ${id}`, unread, () => catalogue.readEntity(kind, id, call()));
  /** A season and an episode with the show: their own titles tell nothing. */
  const named = (kind: string, id: number, record: Json | null): string | null => {
    const name = catalogue.nameOf(kind, id);
    const show = isRecord(record?.show) ? shortName(record.show.title) : '';
    return name === null || show === '' ? name : `${show} · ${name}`;
  };
  return {
    unread,
    hasRoom: () => readSoFar() < most,
    set: async (kind, id) =>
      isSetKind(kind)
        ? once(sets, `${kind} ${id}`, unread, async () =>
            factsOfSet(kind, id, await catalogue.readSet(kind, id, call())),
          )
        : null,
    async holder(kind, id, assetId) {
      const record: Json | null = isEntityKind(kind) ? await entity(kind, id) : null;
      if (record === null) return null;
      const within = ['show', 'season'].flatMap((of) => {
        const part = record[of];
        return isRecord(part) && typeof part.id === 'number' ? [{ kind: of, id: part.id }] : [];
      });
      return { listed: findListed(record.assets, assetId), within };
    },
    async titleOf(kind, id) {
      const known = titleOf(kind, id);
      if (known !== null) return known;
      const mayRead = isEntityKind(kind) && (works.has(`${kind} ${id}`) || readSoFar() < most);
      if (!mayRead) return catalogue.nameOf(kind, id);
      return named(kind, id, await entity(kind, id));
    },
  };
}

function once<Value>(
  reads: Map<string, Promise<Value | null>>,
  key: string,
  unread: Set<string>,
  read: () => Promise<Value>,
): Promise<Value | null> {
  const reading = reads.get(key) ?? unlessGone(key, read, unread);
  reads.set(key, reading);
  return reading;
}

/** What has gone has no name any more; what fails for itself alone must not stop the rest. */
async function unlessGone<Value>(
  key: string,
  read: () => Promise<Value>,
  unread: Set<string>,
): Promise<Value | null> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ArtworkError)) throw error;
    switch (error.category) {
      case 'not_found':
        return null;
      case 'bad_response':
      case 'forbidden':
      case 'service_unavailable':
        unread.add(key);
        return null;
      default:
        throw error;
    }
  }
}

type Json = Readonly<Record<string, unknown>>;

function findListed(groups: unknown, assetId: string): ListedAsset | null {
  if (!isRecord(groups)) return null;
  for (const group of Object.values(groups)) {
    if (!Array.isArray(group)) continue;
    const found = group.find((asset) => isAsset(asset, assetId));
    if (found === undefined) continue;
    const { createdBy = null, setId = null } = isRecord(found) ? found : {};
    const by = shortName(createdBy);
    return {
      by: by === '' ? null : by,
      setId: typeof setId === 'number' && Number.isSafeInteger(setId) ? setId : null,
      path: pathOfListedAsset(found),
    };
  }
  return null;
}

function isAsset(asset: unknown, assetId: string): boolean {
  const wanted = assetId.toLowerCase();
  if (isRecord(asset) && typeof asset.id === 'string') return asset.id.toLowerCase() === wanted;
  const path = pathOfListedAsset(asset);
  return path !== null && assetIdIn(path) === wanted;
}

function isEntityKind(kind: string): kind is EntityKind {
  return Object.hasOwn(entities, kind);
}

function isSetKind(kind: string): kind is SetKind {
  return Object.hasOwn(setKinds, kind);
}
