import type { Owned } from '../../catalogue/owned.ts';
import { revisionOf } from '../../catalogue/records/owned.ts';
import type { Deadline } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import { groupedBy } from '../../grouped-by.ts';
import { mapLimit } from '../../map-limit.ts';
import { type AdmissionKind, admissionFor } from '../../model/kinds.ts';
import { type OwnPicture, type OwnSet, ownSetOf } from '../../model/own-set.ts';
import { isSameTarget, keyOfPlace, type WorkTarget } from '../../model/target.ts';
import { cleanText, quoted } from '../../text.ts';
import type { NamedTarget } from '../read-work.ts';
import type { FileEntry } from './entries.ts';
import type { AmbiguousEntry, Candidate, MatchedEntry, PlannedChange, PlannedPlace } from './plan.ts';

/** What is asked where a Set is to be edited. */
export interface SetReads {
  readonly owned: Pick<Owned, 'readSet' | 'readAsset'>;
  /** The digests of Assets, by their ids in lower case, as far as they are surely known. */
  knownBytes(): Promise<ReadonlyMap<string, string>>;
  readonly deadline: Deadline;
}

/** A picture that a Set of one's own has, where the Set shows which it is and what it is of. */
interface HeldPicture extends OwnPicture {
  readonly assetId: string;
  readonly target: NonNullable<OwnPicture['target']>;
}

/** A Set of one's own of which everything that it holds could be read. */
interface HeldSet extends OwnSet {
  readonly pictures: readonly HeldPicture[];
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * A Set of the connected account's own, with what it holds.
 * @throws ArtworkError as `readSet`; `bad_response` where the Set does not show what it holds
 */
async function readHeldSet(
  owned: Pick<Owned, 'readSet'>,
  setId: number,
  deadline: Deadline,
): Promise<HeldSet> {
  const set = ownSetOf('set', setId, await owned.readSet(setId, deadline));
  const isShown = (picture: OwnPicture): picture is HeldPicture =>
    picture.target !== null && picture.assetId !== null && uuid.test(picture.assetId);
  const pictures = set.pictures.filter(isShown);
  // What can't be read might conflict with anything, so nothing is compared then.
  if (set.isComplete && pictures.length === set.pictures.length) return { ...set, pictures };
  throw new ArtworkError(
    'bad_response',
    `The service does not show what the Set ${setId} holds, so no edit of it can be planned: name the items to edit_set one by one.`,
  );
}

/**
 * The Set that a plan edits.
 * @throws ArtworkError as `readHeldSet`; `invalid_arguments` where the Set is for something else
 */
export async function readEditedSet(
  { owned, deadline }: SetReads,
  setId: number,
  entry: NamedTarget,
  target: WorkTarget,
): Promise<HeldSet & { readonly setKind: AdmissionKind }> {
  const set = await readHeldSet(owned, setId, deadline);
  const { work, admission } = set;
  const isOwn = work === null || isSameTarget(work, target) || isSameTarget(work, entry);
  if (isOwn) return { ...set, setKind: admission ?? admissionFor(target.kind) };
  throw new ArtworkError(
    'invalid_arguments',
    `The Set ${setId} is for the ${work.kind} ${work.id}, not for the ${entry.kind} ${entry.id}: plan with that target, or another Set.`,
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
  const revisionIn = (assetId: string): Promise<string> => {
    const reading = revisions.get(assetId) ?? owned.readAsset(assetId, deadline).then(revisionOf);
    revisions.set(assetId, reading);
    return reading;
  };
  const changesOf = async ({ picture }: Pick<MatchedEntry, 'picture'>, place: PlannedPlace) => {
    const changes: PlannedChange[] = [];
    for (const { assetId, changedAt } of held.get(keyOfPlace(place)) ?? []) {
      if (picture !== null && bytes.get(assetId) === picture.sha256) {
        changes.push({ operation: 'unchanged', assetId });
      } else {
        const expectedAssetUpdatedAt = changedAt ?? (await revisionIn(assetId));
        changes.push({ operation: 'replace', expectedPreviousAssetId: assetId, expectedAssetUpdatedAt });
      }
    }
    return changes.length === 0 ? [{ operation: 'add' } as const] : changes;
  };
  return mapLimit(entries, few, async (entry): Promise<FileEntry> => {
    if (entry.status === 'ambiguous') {
      const places: Candidate[] = [];
      for (const place of entry.places) {
        for (const change of await changesOf(entry, place)) places.push({ ...place, change });
      }
      return answeredBefore(entry, places) ?? { ...entry, places };
    }
    if (entry.status !== 'matched') return entry;
    const changes = await changesOf(entry, entry.place);
    const [change, ...others] = changes;
    return change === undefined || others.length > 0 ? severalThere(entry, changes) : { ...entry, change };
  });
}

/** Where the Set has a file to the byte in one of its places, a person has said before which it is for. */
function answeredBefore(
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

function severalThere(
  { path, picture, problem, place }: MatchedEntry,
  changes: readonly PlannedChange[],
): AmbiguousEntry {
  const places = changes.map((change) => ({ ...place, change }));
  const why = { code: 'several_assets', message: `The Set has ${places.length} pictures in this place.` };
  const ask = `Which of the ${places.length} that the Set has does ${quoted(cleanText(path))} replace?`;
  return { status: 'ambiguous', path, places, morePlaces: 0, why, ask, picture, problem };
}
