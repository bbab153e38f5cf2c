import type { Call } from '../../catalogue/client.ts';
import type { Owned } from '../../catalogue/owned/owned.ts';
import { revisionOf } from '../../catalogue/revision.ts';
import { ArtworkError } from '../../errors.ts';
import type { PlanTarget } from '../matching/targets.ts';
import type { FileEntry } from '../plan/entries.ts';
import type { PlanEntryTarget } from '../targets/read-targets.ts';
import { compareWithSet } from './compare.ts';
import { type OwnSet, readOwnSet, type SetKindWord, setKindFor } from './own-set.ts';

/** What is asked where a Set is to be edited. */
export interface SetReads {
  readonly owned: Pick<Owned, 'readSet' | 'readAsset'>;
  /** The digests of Assets, by their ids in lower case, as far as they are surely known. */
  knownBytes(): Promise<ReadonlyMap<string, string>>;
  call(): Call;
}

export interface EditedSet extends OwnSet {
  readonly setKind: SetKindWord;
}

/**
 * Reads the Set that a plan edits, one of the connected account's own, with what it holds.
 * @throws ArtworkError as `readOwnSet`; `invalid_arguments` where the Set is for something else
 */
export async function readEditedSet(
  { owned, call }: SetReads,
  setId: number,
  entry: PlanEntryTarget,
  work: PlanTarget,
): Promise<EditedSet> {
  const set = await readOwnSet(owned, setId, call());
  const { target } = set;
  const isFor = ({ kind, id }: PlanEntryTarget) =>
    target === null || (target.kind === kind && target.id === id);
  if (isFor(work) || isFor(entry)) return { ...set, setKind: set.setKind ?? setKindFor(work.kind) };
  throw new ArtworkError(
    'invalid_arguments',
    `The Set ${setId} is for the ${target?.kind} ${target?.id}, not for the ${entry.kind} ${entry.id}: plan with that target, or another Set.`,
    { issues: [{ code: 'set', message: 'is for something else', path: ['setId'] }] },
  );
}

/** What an edit of the Set does with each file. */
export async function compareWith(
  { owned, knownBytes, call }: SetReads,
  entries: readonly FileEntry[],
  { assets }: OwnSet,
): Promise<FileEntry[]> {
  const read = new Map<string, Promise<string>>();
  const readRevision = async (assetId: string) => revisionOf(await owned.readAsset(assetId, call()));
  return compareWithSet(entries, {
    assets,
    bytes: await knownBytes(),
    revisionOf: (assetId) => {
      const reading = read.get(assetId) ?? readRevision(assetId);
      read.set(assetId, reading);
      return reading;
    },
  });
}
