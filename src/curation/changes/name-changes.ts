import type { Deadline } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import { groupedBy } from '../../grouped-by.ts';
import { mapLimit } from '../../map-limit.ts';
import { assetIdIn, assetsOf } from '../../model/asset.ts';
import { isKind, isSetKind, type Kind, type SetKind, setKindsOf } from '../../model/kinds.ts';
import { type ArtworkSet, picturesOf, setOf } from '../../model/set.ts';
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
  let reads = 0;
  const once = <OfKind extends string, Value>(read: (kind: OfKind, id: number) => Promise<Value>) => {
    const known = new Map<string, Promise<Value | null>>();
    return (kind: OfKind, id: number): Promise<Value | null> => {
      const key = keyOfTarget({ kind, id });
      const begun = known.get(key);
      if (begun !== undefined) return begun;
      reads += 1;
      const reading = read(kind, id).catch((error: unknown) => unreadable(error, key, unread));
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
    const named = new Map(
      setEvents.flatMap((event) => (event.of === 'set' ? [[keyOfTarget(event.set), event.set]] : [])),
    );
    const some = [...named.values()].slice(0, mostReads / 2);
    const found = await mapLimit(some, readsAtOnce, async ({ kind, id }) =>
      isSetKind(kind) ? readSet(kind, id) : null,
    );
    const pictures = found.flatMap((set) =>
      set === null ? [] : picturesOf(set).map(({ path, target }) => ({ path, holder: { set, target } })),
    );
    return new Map(pictures.map(({ path, holder }) => [assetIdIn(path), holder]));
  };
  let holders: ReturnType<typeof setsByAsset> | null = null;

  const nameAsset = async (subject: Subject, last: AssetEvent): Promise<NamedChange> => {
    const { kind, id } = last.target;
    holders ??= setsByAsset();
    const held = (await holders).get(last.assetId);
    const entity = held === undefined && isKind(kind) ? await readEntity(kind, id) : null;
    const listed = entity?.assets.find((asset) => asset.assetId === last.assetId);
    const within = [entity?.show, entity?.season, held?.target, held?.set.work].flatMap((one) => one ?? []);
    const [setKind] = setKindsOf(entity?.show == null ? kind : 'show');
    const isListed = setKind !== undefined && listed?.setId != null;
    const set = held?.set ?? (isListed ? await readSet(setKind, listed.setId) : null);
    const target = held?.target ?? entity?.target ?? null;
    const own = target === null ? (catalogue.nameOf(kind, id) ?? null) : labelOf(target);
    const show = shortLine(entity?.show?.title);
    const title = own === null || show === '' ? own : `${show} · ${own}`;
    const isPart = set !== null && target !== null && !(set.work !== null && isSameTarget(target, set.work));
    return {
      about: {
        set,
        targets: [last.target, ...within],
        createdBy: listed?.createdBy ?? set?.createdBy ?? null,
        assetIds: subject.events.flatMap((event) =>
          event.of === 'asset' ? [event.assetId, event.previousAssetId ?? event.assetId] : [],
        ),
      },
      target: set === null ? { kind, id, title } : toldSet(set),
      changes: changesIn(subject, isPart ? shortLabelOf(target) : ''),
    };
  };

  return {
    /** Those that could not be read although they may be there. */
    unread,
    hasRoom: () => reads < mostReads,
    async name(subject: Subject): Promise<NamedChange> {
      const last = subject.events.at(-1);
      if (last === undefined) throw new TypeError('A subject has at least one event.');
      if (last.of === 'asset') return nameAsset(subject, last);
      const { kind, id } = last.set;
      const set = isSetKind(kind) ? await readSet(kind, id) : null;
      const targets = set?.work == null ? [] : [set.work];
      return {
        about: { set: last.set, targets, createdBy: set?.createdBy ?? null, assetIds: [] },
        target: set === null ? { kind, id, title: catalogue.nameOf(kind, id) } : toldSet(set),
        changes: changesIn(subject, ''),
      };
    },
  };
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
  if (error.failure !== 'not_found') unread.add(key);
  return null;
}
