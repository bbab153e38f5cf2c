import { blobKeyOf } from '../../blobs/blob-store.ts';
import type { LedgerEntry } from '../../ledger/entry.ts';
import type { Keywords } from '../../ledger/entry-store.ts';
import type { Mutation, MutationPlace, PlacedBytes, PlaceTarget } from '../mutation.ts';
import { isSubmission, rehydrateMutation } from '../operations/find-operation.ts';
import { fileItems, readBlobOwner } from '../submission.ts';

/** What a mutation is looked for by, among the others of its scope. */
interface Searches {
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
  // What a submission has sent is looked for once it is done: while it is open its lists are few, however many its files.
  const sent = sentFilesOf(mutation).map(uploading);
  return {
    whileOpen: [...new Set([...places, ...same, ...work])],
    onceDone: [...new Set([...same, ...work, ...sent])],
  };
}

/** Another version's checkpoint is understood as far as it names the owner of its blobs. */
function keptBy(entry: LedgerEntry): Keywords['keeps'] {
  const keepsNone = entry.progress === null || (!isSubmission(entry) && rehydrateMutation(entry) !== null);
  if (keepsNone) return [];
  const owner = readBlobOwner(entry.progress);
  return owner === null ? null : [blobKeyOf(owner)];
}

function at(place: MutationPlace): string {
  return `at ${writePlace(place)}`;
}

function within(short: MutationPlace): string {
  return `within ${writePlace(short)}`;
}

/** A file that a mutation sends, alone or with others. */
interface SentFile extends Omit<PlacedBytes, 'clientMutationId'> {
  readonly filename: string;
}

/** The files that a mutation sends, and for what; none where it sends none. */
export function sentFilesOf({ bytes, declared, target: { filename } }: Mutation): readonly SentFile[] {
  if (bytes !== null) return [{ ...bytes, filename: typeof filename === 'string' ? filename : 'It' }];
  if (declared === undefined) return [];
  return fileItems(declared).map(({ file, slot, targetKind: kind, targetId: id }) => ({
    filename: file.filename,
    sha256: file.sha256,
    slot,
    target: { kind, id },
  }));
}

/** What an upload of these bytes to this target and slot is found by, and once it is done a submission of them. */
export function uploading({ sha256, slot, target }: Omit<PlacedBytes, 'clientMutationId'>): string {
  return `bytes ${sha256} ${target.kind} ${target.id} ${slot}`;
}

/**
 * A place in one line, to be compared. The ledger's index keeps it: a change of it needs a migration that lists
 * every entry anew.
 */
function writePlace(place: MutationPlace): string {
  switch (place.in) {
    case 'set': {
      const target = place.target === null ? '' : `/${place.target.kind} ${place.target.id}`;
      return `set ${place.setId}${target}/${place.slot}`;
    }
    case 'set metadata':
      return `set ${place.setId} metadata`;
    case 'group':
      return `group ${place.groupId}/${place.slot}`;
    case 'asset':
      return `asset ${place.assetId}`;
    case 'new set':
      return `${writeWork(place.work)}/${place.pictures}`;
  }
}

/** A place with its target left out; null where it names none. */
function placeWithoutTarget(place: MutationPlace): MutationPlace | null {
  return place.in === 'set' && place.target !== null ? { ...place, target: null } : null;
}

/** Whether two mutations would fill the same place: one that leaves the target out may mean any of the Set's. */
export function isSamePlace(one: MutationPlace, other: MutationPlace): boolean {
  const [first, second] = [writePlace(one), writePlace(other)];
  return first === second || shortOf(one) === second || first === shortOf(other);
}

/** The work that a new Set is for; null where none of the places is one. */
export function workOfNewSet(places: readonly MutationPlace[]): string | null {
  const place = places.find((one) => one.in === 'new set');
  return place === undefined ? null : writeWork(place.work);
}

function shortOf(place: MutationPlace): string | null {
  const short = placeWithoutTarget(place);
  return short === null ? null : writePlace(short);
}

function writeWork({ kind, id }: PlaceTarget): string {
  return `new set of ${kind} ${id}`;
}
