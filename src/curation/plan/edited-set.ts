import type { Owned } from '../../catalogue/owned.ts';
import { revisionOf } from '../../catalogue/records/owned.ts';
import type { Deadline } from '../../deadline.ts';
import { ArtworkError, invalidArguments } from '../../errors.ts';
import { groupedBy } from '../../grouped-by.ts';
import { mapLimit } from '../../map-limit.ts';
import { type AdmissionKind, admissionFor } from '../../model/kinds.ts';
import { type OwnPicture, type OwnSet, ownSetOf } from '../../model/own-set.ts';
import { isSameTarget, keyOfPlace, type WorkTarget } from '../../model/target.ts';
import { cleanText, quoted } from '../../text.ts';
import type { NamedTarget } from '../read-work.ts';
import type {
  AmbiguousEntry,
  Candidate,
  FileEntry,
  MatchedEntry,
  PlannedChange,
  PlannedPlace,
} from './plan.ts';

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
export interface EditedSet extends Pick<OwnSet, 'id' | 'revision'> {
  readonly setKind: AdmissionKind;
  readonly pictures: readonly HeldPicture[];
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * The Set that a plan edits, with what it holds.
 * @throws ArtworkError as `readSet`; `bad_response` where the Set does not show what it holds, `invalid_arguments` where
 *   it is for something else
 */
export async function readEditedSet(
  { owned, deadline }: SetReads,
  setId: number,
  entry: NamedTarget,
  target: WorkTarget,
): Promise<EditedSet> {
  const set = ownSetOf('set', setId, await owned.readSet(setId, deadline));
  const { id, revision, work, admission } = set;
  const isShown = (picture: OwnPicture): picture is HeldPicture =>
    picture.target !== null && picture.assetId !== null && uuid.test(picture.assetId);
  const pictures = set.pictures.filter(isShown);
  // What can't be read might conflict with anything, so nothing is compared then.
  if (!set.isComplete || pictures.length < set.pictures.length) {
    const message = `The service does not show what the Set ${setId} holds. Name the items to edit_set one by one instead.`;
    throw new ArtworkError('bad_response', message);
  }
  if (work !== null && !isSameTarget(work, target) && !isSameTarget(work, entry)) {
    const message = `is for the ${work.kind} ${work.id}: plan with that target, or another Set`;
    throw invalidArguments('This Set can’t be edited so', [{ code: 'set', message, path: ['setId'] }]);
  }
  return { id, revision, setKind: admission ?? admissionFor(target.kind), pictures };
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
  { pictures }: EditedSet,
): Promise<FileEntry[]> {
  const bytes = await knownBytes();
  const held = groupedBy(pictures, keyOfPlace);
  const changesIn = async (place: PlannedPlace, sha256: string | undefined): Promise<PlannedChange[]> => {
    const there = held.get(keyOfPlace(place)) ?? [];
    if (there.length === 0) return [{ operation: 'add' }];
    return mapLimit(there, few, async ({ assetId, changedAt }): Promise<PlannedChange> => {
      if (sha256 !== undefined && bytes.get(assetId) === sha256) return { operation: 'unchanged', assetId };
      const expectedAssetUpdatedAt = changedAt ?? revisionOf(await owned.readAsset(assetId, deadline));
      return { operation: 'replace', expectedPreviousAssetId: assetId, expectedAssetUpdatedAt };
    });
  };
  return mapLimit(entries, few, async (entry): Promise<FileEntry> => {
    if (entry.status !== 'matched' && entry.status !== 'ambiguous') return entry;
    const possible = entry.status === 'matched' ? [entry.place] : entry.places;
    const places: Candidate[] = [];
    for (const place of possible) {
      const changes = await changesIn(place, entry.picture?.sha256);
      places.push(...changes.map((change) => ({ ...place, change })));
    }
    if (entry.status === 'ambiguous') return { ...entry, places };
    const [first, ...others] = places;
    if (first?.change !== undefined && others.length === 0) return { ...entry, change: first.change };
    return severalThere(entry, places);
  });
}

function severalThere(
  { path, picture, problem, warnings }: MatchedEntry,
  places: Candidate[],
): AmbiguousEntry {
  const why = { code: 'several_assets', message: `The Set has ${places.length} pictures in this place.` };
  const ask = `Which of the ${places.length} that the Set has does ${quoted(cleanText(path))} replace?`;
  return { status: 'ambiguous', path, places, why, ask, picture, problem, warnings };
}
