import type { Deadline } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import { groupedBy } from '../../grouped-by.ts';
import { mapLimit } from '../../map-limit.ts';
import { assetIdIn, assetsOf } from '../../model/asset.ts';
import { isKind, isSetKind, type Kind, type SetKind, setKindsOf } from '../../model/kinds.ts';
import { picturesOf, setOf } from '../../model/set.ts';
import {
  isSameTarget,
  keyOfTarget,
  labelOf,
  shortLabelOf,
  shortLine,
  type TargetReference,
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
interface ToldChange {
  /** Left out: it is the Set itself that changed. */
  readonly slot?: string;
  /** Which of the Set's or work's parts: S01E03, S01, the title of a film. */
  readonly label?: string;
  readonly what: string;
  readonly times: number;
  /** The day of the last. */
  readonly at: string | null;
  /** What stands there now. */
  readonly assetId?: string;
}

/** What happened in one place, or to one Set: the oldest first. */
export interface Subject {
  readonly events: readonly ChangeEvent[];
  readonly newest: string | null;
}

/** A change with names. */
export interface NamedChange {
  readonly about: ChangeAbout;
  /** The Set or, where the Asset stands in none, what it is of. */
  readonly target: TargetReference & { readonly title: string | null };
  readonly changes: readonly ToldChange[];
}

/** Asks the catalogue whose and what something is: each only once. */
export function createNaming(catalogue: Reads, deadline: Deadline, setEvents: readonly ChangeEvent[]) {
  const known = new Map<string, Promise<unknown>>();
  const once = <OfKind extends string, Value>(read: (kind: OfKind, id: number) => Promise<Value>) => {
    const values = new Map<string, Promise<Value | null>>();
    return (kind: OfKind, id: number): Promise<Value | null> => {
      const key = keyOfTarget({ kind, id });
      const reading = values.get(key) ?? read(kind, id).catch(unlessOfRecord);
      values.set(key, reading);
      known.set(key, reading);
      return reading;
    };
  };
  const readSet = once(async (kind: SetKind, id) =>
    setOf(kind, id, await catalogue.readSet(kind, id, deadline)),
  );
  const readEntity = once(async (kind: Kind, id) => {
    const record = await catalogue.readEntity(kind, id, deadline);
    return { target: targetOf(kind, record), ...partOf(record), assets: assetsOf(record) };
  });
  /** The Sets that the feed names, by the Assets in them: one read tells whose all their pictures are. */
  const setsByAsset = async () => {
    const named = groupedBy(
      setEvents.flatMap((event) => (event.of === 'set' ? [event.set] : [])),
      keyOfTarget,
    );
    const some = [...named.values()].flatMap(([set]) => set ?? []).slice(0, mostReads / 2);
    const found = await mapLimit(some, readsAtOnce, async ({ kind, id }) =>
      isSetKind(kind) ? readSet(kind, id) : null,
    );
    const pictures = found.flatMap((set) =>
      set === null ? [] : picturesOf(set).map(({ path, target }) => ({ path, holder: { set, target } })),
    );
    return new Map(pictures.map(({ path, holder }) => [assetIdIn(path), holder]));
  };
  let holders: ReturnType<typeof setsByAsset> | null = null;

  const nameSet = async ({ kind, id }: TargetReference & { readonly id: number }, subject: Subject) => {
    const set = isSetKind(kind) ? await readSet(kind, id) : null;
    const work = set?.work ?? null;
    const createdBy = set?.createdBy ?? null;
    return {
      about: { set: { kind, id }, targets: work === null ? [] : [work], createdBy, assetIds: [] },
      target: { kind, id, title: set === null ? catalogue.nameOf(kind, id) : shortLine(set.title) },
      changes: changesIn(subject, ''),
    };
  };

  const nameAsset = async (last: AssetEvent, subject: Subject): Promise<NamedChange> => {
    const { kind, id } = last.target;
    holders ??= setsByAsset();
    const held = (await holders).get(last.assetId);
    const entity = held === undefined && isKind(kind) ? await readEntity(kind, id) : null;
    const listed = entity?.assets.find((asset) => asset.assetId === last.assetId);
    const [setKind] = setKindsOf(entity?.show == null ? kind : 'show');
    const setId = listed?.setId ?? null;
    const isListed = setKind !== undefined && setId !== null;
    const set = held?.set ?? (isListed ? await readSet(setKind, setId) : null);
    const target = held?.target ?? entity?.target ?? null;
    const title = target === null ? (catalogue.nameOf(kind, id) ?? null) : labelOf(target);
    const isPart = set !== null && target !== null && !(set.work !== null && isSameTarget(target, set.work));
    const ids = subject.events.flatMap((event) =>
      event.of === 'asset' ? [event.assetId, event.previousAssetId] : [],
    );
    const within = [entity?.show, entity?.season, held?.target, held?.set.work];
    return {
      about: {
        set,
        targets: [last.target, ...within.flatMap((one) => one ?? [])],
        createdBy: listed?.createdBy ?? set?.createdBy ?? null,
        assetIds: ids.flatMap((one) => one ?? []),
      },
      target:
        set === null ? { kind, id, title } : { kind: set.kind, id: set.id, title: shortLine(set.title) },
      changes: changesIn(subject, isPart ? shortLabelOf(target) : ''),
    };
  };

  return {
    /** Whether one call may read more; one that has found nothing yet does so all the same. */
    hasRoom: () => known.size < mostReads,
    async name(subject: Subject): Promise<NamedChange> {
      const last = subject.events.at(-1);
      if (last === undefined) throw new TypeError('A subject has at least one event.');
      return last.of === 'asset' ? nameAsset(last, subject) : nameSet(last.set, subject);
    },
  };
}

/** What was added and has been replaced since then is two changes. */
function changesIn({ events }: Subject, label: string): ToldChange[] {
  const now = events.findLast((event) => event.of === 'asset')?.assetId;
  return [...groupedBy(events, ({ what }) => what)].map(([what, group]) => {
    const { newest } = spanOfTimes(group.map(({ at }) => at));
    const last = group.at(-1);
    return {
      ...(last?.of === 'asset' ? { slot: last.slot } : {}),
      ...(label === '' ? {} : { label }),
      ...{ what, times: group.length },
      // The day is enough for a list; the cursor and `until` are exact.
      at: newest?.slice(0, 10) ?? null,
      ...(last?.of === 'asset' && last.assetId === now ? { assetId: last.assetId } : {}),
    };
  });
}

/** What can't be read for itself alone has no name, and must not stop the rest. */
function unlessOfRecord(error: unknown): null {
  if (error instanceof ArtworkError && error.concerns === 'record') return null;
  throw error;
}
