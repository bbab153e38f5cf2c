import type { NamedCatalogue } from '../../model/target-names.ts';
import { type EntityKind, isEntityKind, isSetKind, shortName } from '../../catalogue/records/kinds.ts';
import { isRecord, type JsonRecord as Json } from '../../catalogue/records/members.ts';
import type { Deadline } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import { assetIdIn, factsOfSet, type SetFacts } from '../audits/set-facts.ts';
import { listedAssetsOf, pathOfListedAsset } from '../own-artwork.ts';

/** What the lists of an entity tell of one Asset: their shape is not shown in the interface document. */
interface ListedAsset {
  readonly by: string | null;
  readonly setId: number | null;
  readonly path: string | null;
}

/** A target, with what it is part of. */
interface ArtworkHolder {
  readonly listed: ListedAsset | null;
  /** The show and the season of an episode, the show of a season. */
  readonly within: readonly { readonly kind: string; readonly id: number }[];
}

export type Naming = ReturnType<typeof createNaming>;

interface NamingReads {
  readonly catalogue: Pick<NamedCatalogue, 'readEntity' | 'readSet' | 'nameOf'>;
  /** What a target is called, without a read; null where that is not known. Here an index of titles can answer. */
  titleOf?(kind: string, id: number): string | null;
  readonly deadline: Deadline;
}

/**
 * Asks the catalogue whose and what something is: each only once, and no more than one call may.
 * @param most reads of Sets and entities that one call makes
 */
export function createNaming({ catalogue, deadline, titleOf = () => null }: NamingReads, most: number) {
  const sets = new Map<string, Promise<SetFacts | null>>();
  const works = new Map<string, Promise<Json | null>>();
  const unread = new Set<string>();
  const readSoFar = () => sets.size + works.size;
  const once = <Value>(
    reads: Map<string, Promise<Value | null>>,
    key: string,
    read: () => Promise<Value>,
  ): Promise<Value | null> => {
    const reading = reads.get(key) ?? unlessGone(key, read, unread);
    reads.set(key, reading);
    return reading;
  };
  const entity = (kind: EntityKind, id: number) =>
    once(works, `${kind} ${id}`, () => catalogue.readEntity(kind, id, deadline));
  /** A season and an episode with the show: their own titles tell nothing. */
  const named = (kind: string, id: number, record: Json | null): string | null => {
    const name = catalogue.nameOf(kind, id);
    const show = isRecord(record?.show) ? shortName(record.show.title) : '';
    return name === null || show === '' ? name : `${show} · ${name}`;
  };
  return {
    /** Those that could not be read although they may be there. */
    unread,
    /** Whether a Set or entity may still be asked for. */
    hasRoom: () => readSoFar() < most,
    /** Null: there is no such Set any more, or it can't be read. */
    set: async (kind: string, id: number): Promise<SetFacts | null> =>
      isSetKind(kind)
        ? once(sets, `${kind} ${id}`, async () =>
            factsOfSet(kind, id, await catalogue.readSet(kind, id, deadline)),
          )
        : null,
    /** Null as above; of a kind that has no public read too. */
    async holder(kind: string, id: number, assetId: string): Promise<ArtworkHolder | null> {
      const record: Json | null = isEntityKind(kind) ? await entity(kind, id) : null;
      if (record === null) return null;
      const within = ['show', 'season'].flatMap((of) => {
        const part = record[of];
        return isRecord(part) && typeof part.id === 'number' ? [{ kind: of, id: part.id }] : [];
      });
      return { listed: findListed(record.assets, assetId), within };
    },
    async titleOf(kind: string, id: number): Promise<string | null> {
      const known = titleOf(kind, id);
      if (known !== null) return known;
      const mayRead = isEntityKind(kind) && (works.has(`${kind} ${id}`) || readSoFar() < most);
      if (!mayRead) return catalogue.nameOf(kind, id);
      return named(kind, id, await entity(kind, id));
    },
  };
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

function findListed(groups: unknown, assetId: string): ListedAsset | null {
  const found = listedAssetsOf(groups).find((asset) => isAsset(asset, assetId));
  if (found === undefined) return null;
  const { createdBy = null, setId = null } = isRecord(found) ? found : {};
  return {
    by: shortName(createdBy) || null,
    setId: typeof setId === 'number' && Number.isSafeInteger(setId) ? setId : null,
    path: pathOfListedAsset(found),
  };
}

function isAsset(asset: unknown, assetId: string): boolean {
  const wanted = assetId.toLowerCase();
  if (isRecord(asset) && typeof asset.id === 'string') return asset.id.toLowerCase() === wanted;
  const path = pathOfListedAsset(asset);
  return path !== null && assetIdIn(path) === wanted;
}
