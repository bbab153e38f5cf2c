import type { Deadline } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import { groupedBy } from '../../grouped-by.ts';
import { mapLimit } from '../../map-limit.ts';
import { assetIdIn, assetsOf, type ListedAsset } from '../../model/asset.ts';
import { isKind, isSetKind, setKindsOf } from '../../model/kinds.ts';
import { type ArtworkSet, picturesOf, setOf } from '../../model/set.ts';
import {
  keyOfTarget,
  labelOf,
  type SeasonTarget,
  shortLabelOf,
  shortLine,
  type Target,
  type TargetReference,
  type WorkTarget,
} from '../../model/target.ts';
import type { NamedCatalogue } from '../../model/target-names.ts';
import { partOf, targetOf } from '../../model/work.ts';
import { type AssetEvent, type ChangeEvent, spanOfTimes } from './feeds.ts';
import type { ChangeAbout } from './whose.ts';

type Reads = Pick<NamedCatalogue, 'readEntity' | 'readSet' | 'nameOf'>;

/** Reads of Sets and entities for names, at a time and of one call. */
export const readsAtOnce = 4;
const mostReads = 120;

/** One change, as data. */
export interface ToldChange {
  /** Left out: it is the Set itself that changed. */
  readonly slot?: string;
  /** Which of the Set's or work's parts: S01E03, S01, the title of a film. */
  readonly label?: string;
  readonly what: string;
  readonly times: number;
  /** The days of the first, where there were several, and of the last. */
  readonly firstAt?: string | null;
  readonly at: string | null;
  /** What stands there now. */
  readonly assetId?: string;
}

/** What one creator changed in one Set or, where the Assets stand in none, of one work. */
export interface ToldTarget extends TargetReference {
  readonly title: string | null;
  /** What a Set is for, where its title does not say it. */
  readonly of?: string;
  readonly changes: readonly ToldChange[];
}

/** What happened in one place, or to one Set: the oldest first. */
export interface Subject {
  readonly events: readonly ChangeEvent[];
  readonly newest: string | null;
}

/** A change with names. */
export interface NamedChange {
  readonly about: ChangeAbout;
  readonly target: Omit<ToldTarget, 'changes'>;
  readonly changes: readonly ToldChange[];
}

/** Asks the catalogue whose and what something is: each only once, and no more than one call may. */
export function createNaming(catalogue: Reads, deadline: Deadline, setEvents: readonly ChangeEvent[]) {
  const unread = new Set<string>();
  const sets = new Map<string, Promise<ArtworkSet | null>>();
  const entities = new Map<string, Promise<NamedEntity | null>>();
  const once = <Value>(
    reads: Map<string, Promise<Value | null>>,
    key: string,
    read: () => Promise<Value>,
  ): Promise<Value | null> => {
    const reading = reads.get(key) ?? read().catch((error: unknown) => unreadable(error, key, unread));
    reads.set(key, reading);
    return reading;
  };
  const readSet = async (kind: string, id: number): Promise<ArtworkSet | null> =>
    isSetKind(kind)
      ? once(sets, keyOfTarget({ kind, id }), async () =>
          setOf(kind, id, await catalogue.readSet(kind, id, deadline)),
        )
      : null;
  const readEntity = async (kind: string, id: number): Promise<NamedEntity | null> =>
    isKind(kind)
      ? once(entities, keyOfTarget({ kind, id }), async () => {
          const record = await catalogue.readEntity(kind, id, deadline);
          const { show, season } = partOf(record);
          return { target: targetOf(kind, record), show, season, assets: assetsOf(record) };
        })
      : null;
  /** The Sets that the feed names, by the Assets in them: one read tells whose all their pictures are. */
  let holders: Promise<ReadonlyMap<string, Holder>> | null = null;
  const setsByAsset = async () => {
    const named = new Map(
      setEvents.flatMap((event) => (event.of === 'set' ? [[keyOfTarget(event.set), event.set]] : [])),
    );
    const found = await mapLimit([...named.values()].slice(0, mostReads / 2), readsAtOnce, ({ kind, id }) =>
      readSet(kind, id),
    );
    return new Map(found.flatMap((set) => (set === null ? [] : holdersIn(set))));
  };

  const nameAsset = async (subject: Subject, last: AssetEvent): Promise<NamedChange> => {
    const { kind, id } = last.target;
    const assetIds = subject.events.flatMap((event) =>
      event.of === 'asset' ? [event.assetId, event.previousAssetId ?? event.assetId] : [],
    );
    holders ??= setsByAsset();
    const known = (await holders).get(last.assetId);
    if (known !== undefined) {
      const { set, target } = known;
      const targets = [last.target, target, ...(set.work === null ? [] : [set.work])];
      const label = set.work !== null && target.id === set.work.id ? '' : shortLabelOf(target);
      return {
        about: { set, targets, createdBy: set.createdBy, assetIds },
        target: toldSet(set),
        changes: changesIn(subject, label),
      };
    }
    const holder = await readEntity(kind, id);
    const listed = holder?.assets.find((asset) => asset.assetId === last.assetId) ?? null;
    const within = [holder?.show, holder?.season].flatMap((one) => one ?? []);
    const set =
      listed?.setId == null
        ? null
        : await readSet(setKindsOf(within.length > 0 ? 'show' : kind)[0] ?? '', listed.setId);
    const own = holder?.target == null ? (catalogue.nameOf(kind, id) ?? null) : labelOf(holder.target);
    const show = shortLine(holder?.show?.title);
    const title = own === null || show === '' ? own : `${show} · ${own}`;
    const label = holder?.target == null ? '' : shortLabelOf(holder.target);
    return {
      about: {
        set,
        targets: [last.target, ...within],
        createdBy: listed?.createdBy ?? set?.createdBy ?? null,
        assetIds,
      },
      target: set === null ? { kind, id, title } : toldSet(set),
      changes: changesIn(subject, set === null ? '' : label),
    };
  };

  return {
    /** Those that could not be read although they may be there. */
    unread,
    hasRoom: () => sets.size + entities.size < mostReads,
    async name(subject: Subject): Promise<NamedChange> {
      const last = subject.events.at(-1);
      if (last === undefined) throw new TypeError('A subject has at least one event.');
      if (last.of === 'asset') return nameAsset(subject, last);
      const { kind, id } = last.set;
      const set = await readSet(kind, id);
      const targets = set?.work == null ? [] : [set.work];
      return {
        about: { set: last.set, targets, createdBy: set?.createdBy ?? null, assetIds: [] },
        target: set === null ? { kind, id, title: catalogue.nameOf(kind, id) } : toldSet(set),
        changes: changesIn(subject, ''),
      };
    },
  };
}

/** What the record of a target tells of its pictures. */
interface NamedEntity {
  readonly target: Target | null;
  readonly show: WorkTarget | null;
  readonly season: SeasonTarget | null;
  readonly assets: readonly ListedAsset[];
}

interface Holder {
  readonly set: ArtworkSet;
  readonly target: Target;
}

function holdersIn(set: ArtworkSet): [string, Holder][] {
  return picturesOf(set).flatMap(({ path, target }): [string, Holder][] => {
    const id = assetIdIn(path);
    return id === null ? [] : [[id, { set, target }]];
  });
}

function toldSet({ kind, id, title, work }: ArtworkSet): Omit<ToldTarget, 'changes'> {
  const isNamed = work === null || title.includes(work.title);
  return { kind, id, title: shortLine(title), ...(isNamed ? {} : { of: labelOf(work) }) };
}

/** What was added and has been replaced since then is two changes. */
function changesIn({ events }: Subject, label: string): ToldChange[] {
  const now = events.findLast((event) => event.of === 'asset')?.assetId;
  return [...groupedBy(events, ({ what }) => what)].map(([what, group]) => {
    const { oldest, newest } = spanOfTimes(group.map(({ at }) => at));
    const last = group.at(-1);
    return {
      ...(last?.of === 'asset' ? { slot: last.slot } : {}),
      ...(label === '' ? {} : { label }),
      ...{ what, times: group.length },
      // The day is enough for a list; the cursor and `until` are exact.
      ...(group.length > 1 ? { firstAt: oldest?.slice(0, 10) ?? null } : {}),
      at: newest?.slice(0, 10) ?? null,
      ...(last?.of === 'asset' && last.assetId === now ? { assetId: last.assetId } : {}),
    };
  });
}

/** What has gone has no name any more; what fails for itself alone must not stop the rest. */
function unreadable(error: unknown, key: string, unread: Set<string>): null {
  if (!(error instanceof ArtworkError) || error.concerns !== 'record') throw error;
  if (error.category !== 'not_found') unread.add(key);
  return null;
}
