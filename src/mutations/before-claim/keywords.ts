import type { LedgerEntry } from '../../ledger/entry.ts';
import type { Keywords } from '../../ledger/lists.ts';
import { blobKeyOf } from '../../blobs/blob-store.ts';
import type { Mutation } from '../mutation.ts';
import { rehydrate } from '../rehydrate.ts';
import { readBlobOwner } from '../checkpoint.ts';
import { isSubmission } from '../operations/named.ts';

/** What a mutation is looked for by, among the others of its scope. */
export interface Searches {
  /** Those that fill the same place. */
  readonly meeting: readonly string[];
  /** Those that would do the same once more. */
  readonly same: readonly string[];
  /** Those that make a Set of the same work. */
  readonly work: readonly string[];
}

/**
 * What an entry of the ledger is found by. The store keeps it with the entry: a change of it needs a migration that
 * lists every entry anew.
 */
export function keywordsOf(entry: LedgerEntry): Keywords {
  return { ...findable(entry), keeps: keptBy(entry) };
}

export function searchesOf(mutation: Mutation): Searches {
  const { operation, places, bytes } = mutation;
  const work = workOf(mutation);
  return {
    meeting: places.flatMap((place) => {
      const short = withoutTarget(place);
      return short === null ? [at(place), within(place)] : [at(place), at(short)];
    }),
    same: [
      ...(bytes === null ? [] : [uploading(bytes)]),
      ...(operation === 'create_media_set' ? places.map(at) : []),
    ],
    work: work === null ? [] : [work],
  };
}

/** The work that a new Set is for; null for everything else. */
export function workOf({ operation, places: [place] }: Mutation): string | null {
  return operation === 'create_media_set' && place !== undefined ? `work ${place.split('/')[0]}` : null;
}

/** `set 5/poster` for `set 5/movie 3/poster`; null for a place that names no target in a Set. */
export function withoutTarget(place: string): string | null {
  const [set, ...rest] = place.split('/');
  return rest.length > 1 && set?.startsWith('set ') ? `${set}/${rest.at(-1)}` : null;
}

type Findable = Omit<Keywords, 'keeps'>;

let last: { readonly intent: string; readonly id: string; readonly found: Findable } | null = null;

/** The intent of an entry never changes, and that of a large submission is long. */
function findable(entry: LedgerEntry): Findable {
  if (last === null || last.id !== entry.clientMutationId || last.intent !== entry.intent) {
    last = { intent: entry.intent, id: entry.clientMutationId, found: findAnew(rehydrate(entry)) };
  }
  return last.found;
}

function findAnew(mutation: Mutation | null): Findable {
  if (mutation === null) return { whileOpen: [], onceDone: [] };
  const { same, work } = searchesOf(mutation);
  const places = mutation.places.flatMap((place) => {
    const short = withoutTarget(place);
    return short === null ? [at(place)] : [at(place), within(short)];
  });
  return { whileOpen: [...new Set([...places, ...same, ...work])], onceDone: [...same, ...work] };
}

/** Another version's checkpoint is understood as far as it names the owner of its blobs. */
function keptBy({ operation, progress, ...entry }: LedgerEntry): Keywords['keeps'] {
  if (progress === null || (!isSubmission({ operation }) && isKnown({ operation, ...entry }))) return [];
  const owner = readBlobOwner(progress);
  return owner === null ? null : [blobKeyOf(owner)];
}

function isKnown(entry: Pick<LedgerEntry, 'operation' | 'clientMutationId' | 'intent'>): boolean {
  return rehydrate(entry) !== null;
}

function at(place: string): string {
  return `at ${place}`;
}

function within(short: string): string {
  return `within ${short}`;
}

function uploading({ sha256, slot, target }: NonNullable<Mutation['bytes']>): string {
  return `bytes ${sha256} ${target.kind} ${target.id} ${slot}`;
}
