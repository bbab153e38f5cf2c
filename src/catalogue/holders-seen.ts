import { idAt, isRecord } from './records/members.ts';
import { type OwnReading, revisionOf } from './records/owned.ts';

/** An own Set or group that listed an Asset when it was read. */
export interface HolderSeen {
  readonly of: 'set' | 'group';
  readonly id: string;
  /** The revision of the Asset, as it was listed. */
  readonly assetUpdatedAt: string;
}

interface Seen extends Omit<HolderSeen, 'assetUpdatedAt'> {
  readonly revision: string;
  readonly assets: ReadonlyMap<string, string>;
}

const mostKept = 100;

/**
 * The revisions of the own Sets and groups that this process has read last, with those of the Assets that they list: a
 * caller that reads a Set easily gives its revision for that of one of its Assets. Assumed: a Set lists `assets`, a group
 * has a `poster`, each with id and updatedAt.
 */
export function createHoldersSeen() {
  const kept = new Map<string, Seen>();
  return {
    learn(reading: OwnReading): void {
      if (reading.of !== 'own set' && reading.of !== 'own group') return;
      const of = reading.of === 'own set' ? 'set' : 'group';
      const record: Readonly<Record<string, unknown>> = reading.record;
      const id = idAt(record, 'id');
      if (id === null) return;
      const listed = of === 'set' ? record.assets : [record.poster];
      const assets = (Array.isArray(listed) ? listed : []).filter(isRecord).flatMap((asset) => {
        const assetId = idAt(asset, 'id', 'assetId');
        const known = assetId !== null && typeof asset.updatedAt === 'string';
        return known ? [[assetId.toLowerCase(), revisionOf(asset)] as const] : [];
      });
      kept.delete(`${of} ${id}`);
      kept.set(`${of} ${id}`, { of, id, revision: revisionOf(record), assets: new Map(assets) });
      for (const oldest of kept.keys()) {
        if (kept.size <= mostKept) break;
        kept.delete(oldest);
      }
    },

    /** The Set or group that had this revision and listed the Asset; null if none was read. */
    find(assetId: string, revision: string): HolderSeen | null {
      for (const { of, id, revision: own, assets } of kept.values()) {
        const assetUpdatedAt = assets.get(assetId.toLowerCase());
        if (own === revision && assetUpdatedAt !== undefined) return { of, id, assetUpdatedAt };
      }
      return null;
    },
  };
}
