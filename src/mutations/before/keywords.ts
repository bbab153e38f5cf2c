import type { LedgerEntry } from '../../ledger/entry.ts';
import type { Keywords } from '../../ledger/entry-store.ts';
import { readStoredReceiptOnly } from '../finding.ts';
import type { TargetReference } from '../../model/target.ts';
import type { Mutation, MutationPlace, PlacedBytes } from '../mutation.ts';
import { keyOf, partsOf, targetsIn, referenceOf } from '../names.ts';
import { isSubmission, rehydrateMutation } from '../operations/find-operation.ts';
import { fileItems, placedBytesOf, readBlobOwner } from '../submission.ts';

/** What a mutation is looked for by, among the others of its scope. */
interface Searches {
  /** Those that fill the same place. */
  readonly meeting: readonly string[];
  /** Those that would do the same once more. */
  readonly same: readonly string[];
  /** Those that make a Set of the same work. */
  readonly work: readonly string[];
  /** Those that send one of the same files for the same target and slot, alone or with others. */
  readonly sent: readonly string[];
}

/**
 * What an entry of the ledger is found by. The store keeps it with the entry, so a change of it takes the next number
 * of the schema.
 */
export function keywordsOf(entry: LedgerEntry): Keywords {
  const { whileOpen, onceDone, touching } = findable(entry);
  const isPending = readStoredReceiptOnly(entry.receipt)?.publicationStatus === 'pending';
  return { whileOpen, onceDone: isPending ? [...onceDone, ...touching] : onceDone, keeps: keptBy(entry) };
}

/** The entities, Sets (`set`), groups and Assets whose records a mutation changes; each once. */
export function touchedThings(mutation: Mutation | null): readonly TargetReference[] {
  if (mutation === null || mutation.saved === 'relationship') return [];
  const { intent } = mutation;
  const things = [
    ...referenceOf('set', intent.setId),
    ...referenceOf('group', intent.groupId),
    ...targetsIn(intent),
    ...partsOf(intent).flatMap((part) => assetMembers.flatMap((name) => referenceOf('asset', part[name]))),
  ];
  return [...new Map(things.map((one) => [keywordOfTouched(one), one])).values()];
}

/** What operations and their items call the id of an Asset that is edited, replaced or assigned. */
const assetMembers = ['assetId', 'previousAssetId', 'expectedPreviousAssetId', 'existingAssetId'];

/** The keyword that finds the changes of a thing while they are open, and until public reads show them. */
export function keywordOfTouched({ kind, id }: TargetReference): string {
  return `touches ${keyOf(kind, id)}`;
}

/** The keywords by which a mutation finds others in the ledger's index. */
export function searchKeywordsOf(mutation: Mutation): Searches {
  const { places } = mutation;
  const work = workOfNewSet(places);
  return {
    meeting: places.flatMap((place) => {
      const short = placeWithoutTarget(place);
      return short === null ? [at(place), within(place)] : [at(place), at(short)];
    }),
    same: [
      ...(mutation.by === 'upload' ? [uploading(mutation.bytes)] : []),
      ...places.filter((place) => place.in === 'new set').map(at),
    ],
    work: work === null ? [] : [`work ${work}`],
    sent: sentFilesOf(mutation).map(uploading),
  };
}

/** Every submission that sends files is found by it while it is open. */
export const ofSubmissions = 'files of a submission';

interface Findable extends Omit<Keywords, 'keeps'> {
  readonly touching: readonly string[];
}

let last: { readonly intent: string; readonly id: string; readonly found: Findable } | null = null;

/** The intent of an entry never changes, and that of a large submission is long. */
function findable(entry: LedgerEntry): Findable {
  if (last === null || last.id !== entry.clientMutationId || last.intent !== entry.intent) {
    last = { intent: entry.intent, id: entry.clientMutationId, found: findAnew(rehydrateMutation(entry)) };
  }
  return last.found;
}

function findAnew(mutation: Mutation | null): Findable {
  if (mutation === null) return { whileOpen: [], onceDone: [], touching: [] };
  const touching = touchedThings(mutation).map(keywordOfTouched);
  const { same, work, sent } = searchKeywordsOf(mutation);
  const places = mutation.places.flatMap((place) => {
    const short = placeWithoutTarget(place);
    return short === null ? [at(place)] : [at(place), within(short)];
  });
  // While a submission is open its lists are few, however many its files: it is written often, and few are open.
  const files = mutation.by === 'submission' && sent.length > 0 ? [ofSubmissions] : [];
  const touched = files.length > 0 ? [] : touching;
  return {
    whileOpen: [...new Set([...places, ...same, ...work, ...files, ...touched])],
    onceDone: [...new Set([...same, ...work, ...sent])],
    touching,
  };
}

function keptBy(entry: LedgerEntry): Keywords['keeps'] {
  const keepsNone = entry.progress === null || (!isSubmission(entry) && rehydrateMutation(entry) !== null);
  if (keepsNone) return [];
  const owner = readBlobOwner(entry.progress);
  return owner === null ? null : [owner];
}

function at(place: MutationPlace): string {
  return `at ${writePlace(place)}`;
}

function within(short: MutationPlace): string {
  return `within ${writePlace(short)}`;
}

/** The files that a mutation sends, and for what; none where it sends none. */
export function sentFilesOf(mutation: Mutation): readonly PlacedBytes[] {
  switch (mutation.by) {
    case 'request':
      return [];
    case 'upload':
      return [mutation.bytes];
    case 'submission':
      return fileItems(mutation.declared).map(placedBytesOf);
  }
}

/** What an upload of these bytes to this target and slot is found by, and once it is done a submission of them. */
export function uploading({ sha256, slot, target }: PlacedBytes): string {
  return `bytes ${sha256} ${target.kind} ${target.id} ${slot}`;
}

/** A place in one line, to be compared. The ledger's index keeps it, so a change of it takes the next number of the schema. */
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

function writeWork({ kind, id }: TargetReference): string {
  return `new set of ${kind} ${id}`;
}
