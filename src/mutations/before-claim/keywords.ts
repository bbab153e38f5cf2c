import { blobKeyOf } from '../../blobs/blob-store.ts';
import type { LedgerEntry } from '../../ledger/entry.ts';
import type { Keywords } from '../../ledger/entry-store.ts';
import {
  type Mutation,
  type MutationPlace,
  placeWithoutTarget,
  workOfNewSet,
  writePlace,
} from '../mutation.ts';
import { isSubmission, rehydrateMutation } from '../operations/find-operation.ts';
import { readBlobOwner } from '../submission.ts';

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

/** The keywords by which a mutation finds others in the ledger's index. */
export function searchKeywordsOf(mutation: Mutation): Searches {
  const { places, bytes } = mutation;
  const work = workOfNewSet(places);
  return {
    meeting: places.flatMap((place) => {
      const short = placeWithoutTarget(place);
      return short === null ? [at(place), within(place)] : [at(place), at(short)];
    }),
    same: [
      ...(bytes === null ? [] : [uploading(bytes)]),
      ...places.filter((place) => place.in === 'new set').map(at),
    ],
    work: work === null ? [] : [`work ${work}`],
  };
}

type Findable = Omit<Keywords, 'keeps'>;

let last: { readonly intent: string; readonly id: string; readonly found: Findable } | null = null;

/** The intent of an entry never changes, and that of a large submission is long. */
function findable(entry: LedgerEntry): Findable {
  if (last === null || last.id !== entry.clientMutationId || last.intent !== entry.intent) {
    last = { intent: entry.intent, id: entry.clientMutationId, found: findAnew(rehydrateMutation(entry)) };
  }
  return last.found;
}

function findAnew(mutation: Mutation | null): Findable {
  if (mutation === null) return { whileOpen: [], onceDone: [] };
  const { same, work } = searchKeywordsOf(mutation);
  const places = mutation.places.flatMap((place) => {
    const short = placeWithoutTarget(place);
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
  return rehydrateMutation(entry) !== null;
}

function at(place: MutationPlace): string {
  return `at ${writePlace(place)}`;
}

function within(short: MutationPlace): string {
  return `within ${writePlace(short)}`;
}

function uploading({ sha256, slot, target }: NonNullable<Mutation['bytes']>): string {
  return `bytes ${sha256} ${target.kind} ${target.id} ${slot}`;
}
