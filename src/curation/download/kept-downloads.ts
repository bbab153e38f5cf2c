import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ArtworkError } from '../../errors.ts';
import { assetIdIn } from '../../model/asset.ts';
import { allSetKinds } from '../../model/kinds.ts';
import { type ArtworkSet, picturesOf } from '../../model/set.ts';
import { allSlots, type Slot } from '../../model/slots.ts';
import type { Marks, StoredValue } from '../../store/kv.ts';
import { jsonOf } from '../../text.ts';
import { layoutNames } from './layouts/index.ts';

const reference = z.object({ kind: z.enum(allSetKinds), id: z.int() });

/** A download as it was asked for, and how far it came: what an update goes by. */
const keptDownload = z.object({
  ...{ ...reference.shape, title: z.string(), layout: z.enum(layoutNames) },
  /** Below the root. */
  folders: z.array(z.string()),
  /** Null: all. */
  slots: z.array(z.enum(allSlots)).nullable(),
  ...{ assetFolders: z.boolean(), languageCode: z.string().nullable() },
  /**
   * `whole`: everything that could be brought was. `begun`: something is left. `due`: the feeds name it. `unsure`: the
   * feeds do not reach back to its reading. `gone`: the service has the Set no more.
   */
  state: z.enum(['whole', 'begun', 'due', 'unsure', 'gone']),
  /** The Set's `dateUpdated` when it was read. */
  updated: z.string().nullable(),
  /** The time of the latest change that a feed told of it and that was heeded. */
  seen: z.string().nullable(),
  /** When it was read, by this machine's clock, ms. */
  readAt: z.number(),
  /** Of a group: its Sets, with their `dateUpdated`. */
  members: z.array(reference.extend({ updated: z.string().nullable() })),
  /** How the ids of its Assets begin, so that a feed's `previousAssetId` is recognized. */
  assets: z.array(z.string()),
  /** Works whose folders were found or made. */
  works: z.array(z.string()),
});
export type KeptDownload = Readonly<z.output<typeof keptDownload>>;

export type WishOfDownload = Pick<
  KeptDownload,
  'kind' | 'id' | 'layout' | 'folders' | 'slots' | 'assetFolders' | 'languageCode'
>;

type Store = Pick<Marks, 'get' | 'putIfAbsent' | 'compareAndSet' | 'scan'>;

export type KeptDownloads = ReturnType<typeof createKeptDownloads>;

const pageSize = 500;
const mostAttempts = 20;

/**
 * The downloads that were made below a root from a catalogue. They outlive the process, so that an update knows what to
 * look after.
 * @param root its path without links
 */
export function createKeptDownloads(store: Store, root: string, service: string) {
  const prefix = `downloads/${digest([root, service])}/`;
  const keyOf = ({
    kind,
    id,
    layout,
    folders,
    assetFolders,
  }: Omit<WishOfDownload, 'slots' | 'languageCode'>) =>
    prefix + digest([kind, id, layout, folders, assetFolders]);

  const change = async (
    key: string,
    next: (before: KeptDownload | null) => KeptDownload | null,
  ): Promise<void> => {
    for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
      const entry = await store.get(key);
      const wanted = next(entry === null ? null : read(entry));
      if (wanted === null) return;
      const value = JSON.stringify(wanted);
      if (entry === null) {
        if ((await store.putIfAbsent(key, value)).won) return;
      } else if (entry.value === value) return;
      else if ((await store.compareAndSet(key, entry.version, value)).outcome === 'swapped') return;
    }
    throw new ArtworkError('conflict', 'Other processes keep changing the note of this download.', {
      code: 'download_contended',
      next: { why: 'Once the other downloads have ended the same call can be made again.' },
    });
  };

  return {
    /** Tells the updates of this root and catalogue from others. */
    name: prefix.slice(0, -1),
    async all(): Promise<KeptDownload[]> {
      const found: KeptDownload[] = [];
      for (let after: string | null = null; ; ) {
        const page: readonly StoredValue[] = await store.scan(prefix, after, pageSize);
        found.push(...page.map(read));
        after = page.at(-1)?.key ?? null;
        if (page.length < pageSize) return found;
      }
    },
    /** Noted before the first file is written: a process that is killed leaves it to the next update. */
    begin: (wish: WishOfDownload, set: ArtworkSet): Promise<void> =>
      change(keyOf(wish), (before) => ({
        ...(before ?? { ...unread, readAt: Date.now() }),
        ...wish,
        title: set.title,
        slots: slotsOfBoth(before, wish),
        state: 'begun',
      })),
    /**
     * Notes how far a call came.
     * @param isWhole nothing is left
     * @param works keys of the works whose folders were found or made
     */
    end: (
      wish: WishOfDownload,
      set: ArtworkSet,
      {
        isWhole,
        members,
        works,
      }: { isWhole: boolean; members: readonly ArtworkSet[]; works: readonly string[] },
    ): Promise<void> =>
      change(keyOf(wish), (before) => {
        if (before === null) return null;
        const isAll = slotsOfBoth(before, wish)?.length === wish.slots?.length;
        const known = new Map(before.members.map((one) => [`${one.kind} ${one.id}`, one]));
        for (const { kind, id, updated } of members) known.set(`${kind} ${id}`, { kind, id, updated });
        const assets = [set, ...members]
          .flatMap(picturesOf)
          .flatMap(({ path }) => startOfAsset(assetIdIn(path)));
        return {
          ...before,
          title: set.title,
          state: isWhole && isAll ? 'whole' : 'begun',
          updated: set.updated,
          readAt: Date.now(),
          members: [...known.values()],
          assets: [...new Set(members.length < known.size ? [...before.assets, ...assets] : assets)],
          works: [...new Set([...before.works, ...works])],
        };
      }),
    /** Marks one that is there, whatever came of it meanwhile. */
    mark: (
      download: KeptDownload,
      marks: Partial<Pick<KeptDownload, 'state' | 'seen' | 'readAt'>>,
    ): Promise<void> =>
      change(keyOf(download), (before) => (before === null ? null : { ...before, ...marks })),
  };
}

const unread = {
  ...{ state: 'begun', updated: null, seen: null, members: [], assets: [], works: [] },
} as const satisfies Partial<KeptDownload>;

/** How an Asset's id begins, in lower case; none for what is no id. */
export function startOfAsset(id: string | null): string[] {
  return id === null ? [] : [id.slice(0, 13).toLowerCase()];
}

/** What two calls for the same Set asked for together. Null: all. */
function slotsOfBoth(
  before: Pick<KeptDownload, 'slots'> | null,
  { slots }: Pick<KeptDownload, 'slots'>,
): Slot[] | null {
  if (before === null) return slots;
  return before.slots === null || slots === null ? null : [...new Set([...before.slots, ...slots])];
}

/** The store is on a disk: what is there has to be checked. */
function read({ value }: StoredValue): KeptDownload {
  const parsed = keptDownload.safeParse(jsonOf(value));
  if (parsed.success) return parsed.data;
  throw new ArtworkError('internal', 'The store’s note of a download is damaged.', {
    code: 'store_unreadable',
    next: { why: 'A person restores the data folder from a backup.' },
  });
}

function digest(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 24);
}
