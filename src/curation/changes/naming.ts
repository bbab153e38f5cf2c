import type { Entity } from '../../catalogue/records/kinds.ts';
import type { Deadline } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import { assetsOf, type ListedAsset } from '../../model/asset.ts';
import { isKind, isSetKind, type Kind } from '../../model/kinds.ts';
import { type ArtworkSet, setOf } from '../../model/set.ts';
import { keyOfTarget, labelOf, shortLine, type TargetReference } from '../../model/target.ts';
import type { NamedCatalogue } from '../../model/target-names.ts';
import { partOf, targetOf } from '../../model/work.ts';

/** A target, with what it is part of. */
interface ArtworkHolder {
  /** Null: its lists do not show the Asset. */
  readonly listed: ListedAsset | null;
  /** The show and the season of an episode, the show of a season. */
  readonly within: readonly TargetReference[];
}

export type Naming = ReturnType<typeof createNaming>;

interface NamingReads {
  readonly catalogue: Pick<NamedCatalogue, 'readEntity' | 'readSet' | 'nameOf'>;
  readonly deadline: Deadline;
}

/**
 * Asks the catalogue whose and what something is: each only once, and no more than one call may.
 * @param most reads of Sets and entities that one call makes
 */
export function createNaming({ catalogue, deadline }: NamingReads, most: number) {
  const sets = new Map<string, Promise<ArtworkSet | null>>();
  const works = new Map<string, Promise<Entity | null>>();
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
  const entity = (kind: Kind, id: number): Promise<Entity | null> =>
    once(works, keyOfTarget({ kind, id }), () => catalogue.readEntity(kind, id, deadline));
  return {
    /** Those that could not be read although they may be there. */
    unread,
    /** Whether a Set or entity may still be asked for. */
    hasRoom: () => readSoFar() < most,
    /** Null: there is no such Set any more, or it can't be read. */
    set: async (kind: string, id: number): Promise<ArtworkSet | null> =>
      isSetKind(kind)
        ? once(sets, keyOfTarget({ kind, id }), async () =>
            setOf(kind, id, await catalogue.readSet(kind, id, deadline)),
          )
        : null,
    /** Null as above; of a kind that has no public read too. */
    async holder(kind: string, id: number, assetId: string): Promise<ArtworkHolder | null> {
      const record = isKind(kind) ? await entity(kind, id) : null;
      if (record === null) return null;
      const wanted = assetId.toLowerCase();
      const { show, season } = partOf(record);
      return {
        listed: assetsOf(record).find((asset) => asset.assetId === wanted) ?? null,
        within: [show, season].filter((one) => one !== null),
      };
    },
    /** A season and an episode with the show: their own titles tell nothing. */
    async titleOf(kind: string, id: number): Promise<string | null> {
      const mayRead = isKind(kind) && (works.has(keyOfTarget({ kind, id })) || readSoFar() < most);
      const record = mayRead ? await entity(kind, id) : null;
      const target = record === null || !isKind(kind) ? null : targetOf(kind, record);
      const own = (target === null ? '' : labelOf(target)) || catalogue.nameOf(kind, id);
      const show = record === null ? '' : shortLine(partOf(record).show?.title);
      return own === null || show === '' ? own : `${show} · ${own}`;
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
