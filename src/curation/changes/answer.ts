import { groupedBy } from '../../grouped-by.ts';
import type { ChangeLine, NamedTarget, PlaceChange } from './change.ts';

/** One change, as data. */
interface ToldChange {
  /** Left out: it is the Set itself that changed. */
  readonly slot?: string;
  /** Which of the Set's or work's parts: S01E03, S01, the title of a film. Left out: what the entry itself is of. */
  readonly label?: string;
  /** `added`, `replaced`, `updated`, or the service's own word. */
  readonly what: string;
  /** How often. */
  readonly times: number;
  /** The day of the first, where there were several. */
  readonly firstAt?: string | null;
  /** The day of the last. */
  readonly at: string | null;
  /** What stands there now. */
  readonly assetId?: string;
}

/** What one creator changed in one Set or, where the Assets stand in none, of one work. */
interface ToldTarget {
  readonly kind: string;
  readonly id: number;
  readonly title: string | null;
  /** What a Set is for, where its title does not say it. */
  readonly of?: string;
  readonly changes: readonly ToldChange[];
}

export interface ToldCreator {
  readonly by: string | null;
  readonly targets: readonly ToldTarget[];
}

/** By creator, in the order of the latest: what is asked most is who it was. */
export function changesByCreator(lines: readonly ChangeLine[]): ToldCreator[] {
  return [...groupedBy(lines, ({ createdBy }) => createdBy)].map(([by, own]) => ({
    by,
    targets: own.flatMap((line) => (line.set === null ? ofWorks(line) : [ofSet(line, line.set)])),
  }));
}

function ofSet({ of, places, setChange, firstAt, lastAt }: ChangeLine, set: NamedTarget): ToldTarget {
  const title = of?.title ?? null;
  const isNamed = title === null || set.title?.includes(title.replace(/ \(\d{4}\)$/, '')) === true;
  // That a Set was updated is told by what changed in it.
  const isTold = setChange !== null && (setChange !== 'updated' || places.length === 0);
  const at = dayOf(setChange === 'added' ? firstAt : lastAt);
  return {
    ...set,
    ...(isNamed ? {} : { of: title }),
    changes: [...(isTold ? [{ what: setChange, times: 1, at }] : []), ...places.flatMap(changesOf)],
  };
}

/** What stands in no Set, each target by itself. */
function ofWorks({ of, places }: ChangeLine): ToldTarget[] {
  return [...groupedBy(places, ({ target }) => `${target.kind} ${target.id}`).values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const title = of === null ? first.label : of.title;
    return [{ ...first.target, title, changes: own.flatMap((place) => changesOf({ ...place, label: '' })) }];
  });
}

/** What was added and has been replaced since then is two changes. */
function changesOf({ slot, label, happened, assetId: now }: PlaceChange): ToldChange[] {
  return happened.map(({ what, times, firstAt, lastAt, assetId }) => ({
    slot,
    ...(label === '' ? {} : { label }),
    ...{ what, times },
    ...(times > 1 ? { firstAt: dayOf(firstAt) } : {}),
    at: dayOf(lastAt),
    ...(assetId === now ? { assetId } : {}),
  }));
}

/** The day is enough for a list; the cursor and `until` are exact. */
function dayOf(time: string | null): string | null {
  return time?.slice(0, 10) ?? null;
}
