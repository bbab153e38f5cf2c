import type { Owned } from '../../catalogue/owned.ts';
import { revisionOf } from '../../catalogue/records/owned.ts';
import type { Deadline } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import { groupedBy } from '../../grouped-by.ts';
import { mapLimit } from '../../map-limit.ts';
import { type AdmissionKind, admissionFor } from '../../model/kinds.ts';
import { isSameTarget, keyOfPlace, type WorkTarget } from '../../model/target.ts';
import { cleanText, quoted } from '../../text.ts';
import type { NamedTarget } from '../read-work.ts';
import type { FileEntry } from './entries.ts';
import { type HeldPicture, type HeldSet, readHeldSet } from './own-set.ts';
import type { AmbiguousEntry, Candidate, MatchedEntry, PlannedChange, PlannedPlace } from './plan.ts';

/** What is asked where a Set is to be edited. */
export interface SetReads {
  readonly owned: Pick<Owned, 'readSet' | 'readAsset'>;
  /** The digests of Assets, by their ids in lower case, as far as they are surely known. */
  knownBytes(): Promise<ReadonlyMap<string, string>>;
  readonly deadline: Deadline;
}

interface EditedSet extends HeldSet {
  readonly setKind: AdmissionKind;
}

/**
 * Reads the Set that a plan edits, one of the connected account's own, with what it holds.
 * @throws ArtworkError as `readOwnSet`; `invalid_arguments` where the Set is for something else
 */
export async function readEditedSet(
  { owned, deadline }: SetReads,
  setId: number,
  entry: NamedTarget,
  target: WorkTarget,
): Promise<EditedSet> {
  const set = await readHeldSet(owned, setId, deadline);
  const { work, admission } = set;
  const isFor = (one: NamedTarget | WorkTarget) => work === null || isSameTarget(work, one);
  if (isFor(target) || isFor(entry)) return { ...set, setKind: admission ?? admissionFor(target.kind) };
  throw new ArtworkError(
    'invalid_arguments',
    `The Set ${setId} is for the ${work?.kind} ${work?.id}, not for the ${entry.kind} ${entry.id}: plan with that target, or another Set.`,
    { issues: [{ code: 'set', message: 'is for something else', path: ['setId'] }] },
  );
}

/** Reads at a time: the interface document names no limit, so few. */
const few = 4;

/**
 * What an edit of the Set does with each matched file: adds what the Set lacks, replaces what it has, and leaves out
 * what it surely has to the byte. Of an ambiguous one, what it would do in each place.
 */
export async function compareWith(
  { owned, knownBytes, deadline }: SetReads,
  entries: readonly FileEntry[],
  { pictures }: HeldSet,
): Promise<FileEntry[]> {
  const bytes = await knownBytes();
  const held = groupedBy(pictures, keyOfPlace);
  const revisions = new Map<string, Promise<string>>();
  const readRevision = async (assetId: string) => revisionOf(await owned.readAsset(assetId, deadline));
  const changeOf = async (
    { picture }: Pick<MatchedEntry, 'picture'>,
    { assetId, changedAt }: HeldPicture,
  ): Promise<PlannedChange> => {
    if (picture !== null && bytes.get(assetId) === picture.sha256) {
      return { operation: 'unchanged', assetId };
    }
    const reading = changedAt ?? revisions.get(assetId) ?? readRevision(assetId);
    if (typeof reading !== 'string') revisions.set(assetId, reading);
    const expectedAssetUpdatedAt = await reading;
    return { operation: 'replace', expectedPreviousAssetId: assetId, expectedAssetUpdatedAt };
  };
  const candidatesOf = async (entry: Pick<MatchedEntry, 'picture'>, place: PlannedPlace) => {
    const there = held.get(keyOfPlace(place)) ?? [];
    if (there.length === 0) return [{ ...place, change: { operation: 'add' } as const }];
    return mapLimit(there, 1, async (asset): Promise<Candidate> => {
      return { ...place, change: await changeOf(entry, asset) };
    });
  };
  return mapLimit(entries, few, async (entry): Promise<FileEntry> => {
    if (entry.status === 'ambiguous') {
      const places = (await mapLimit(entry.places, 1, (place) => candidatesOf(entry, place))).flat();
      return answered(entry, places) ?? { ...entry, places };
    }
    if (entry.status !== 'matched') return entry;
    const [asset, ...others] = held.get(keyOfPlace(entry.place)) ?? [];
    if (asset === undefined) return entry;
    if (others.length > 0) return severalAssets(entry, await candidatesOf(entry, entry.place));
    return { ...entry, change: await changeOf(entry, asset) };
  });
}

/** Where the Set has a file to the byte in one of its places, a person has said before which it is for. */
function answered(
  { path, picture, problem }: AmbiguousEntry,
  places: readonly Candidate[],
): MatchedEntry | null {
  const [held, ...others] = places.filter(({ change }) => change?.operation === 'unchanged');
  if (held?.change === undefined || others.length > 0) return null;
  const { change, ...place } = held;
  return { status: 'matched', path, place, picture, problem, warnings: [], change, rank: last };
}

/** It is not sent, so it follows what is. */
const last = Number.MAX_SAFE_INTEGER;

function severalAssets({ path, picture, problem }: MatchedEntry, places: Candidate[]): AmbiguousEntry {
  const count = places.length;
  return {
    status: 'ambiguous',
    path,
    places,
    morePlaces: 0,
    why: { code: 'several_assets', message: `The Set has ${count} pictures in this place.` },
    ask: `Which of the ${count} that the Set has does ${quoted(cleanText(path))} replace?`,
    picture,
    problem,
  };
}
