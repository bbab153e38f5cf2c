import { cleanText } from '../../catalogue/text.ts';
import { fewAtOnce } from '../../mutations/submissions/few-at-once.ts';
import { placeKey } from '../plan/places.ts';
import type { FileEntry } from '../plans/entries.ts';
import type { AmbiguousEntry, MatchedEntry, PlannedChange } from '../plans/plan.ts';
import type { HeldAsset } from './own-set.ts';

export interface Comparing {
  readonly assets: readonly HeldAsset[];
  /** The digests of Assets, by their ids in lower case, as far as they are surely known. */
  readonly bytes: ReadonlyMap<string, string>;
  /** The revision of an Asset that the Set shows none of. */
  revisionOf(assetId: string): Promise<string>;
}

/** Reads at a time: the interface document names no limit, so few. */
const few = 4;

/**
 * What an edit does with each matched file: adds what the Set lacks, replaces what it has, and leaves out what it
 * surely has to the byte.
 */
export async function compareWithSet(
  entries: readonly FileEntry[],
  comparing: Comparing,
): Promise<FileEntry[]> {
  const held = new Map<string, HeldAsset[]>();
  for (const asset of comparing.assets) {
    const key = `${asset.targetKind} ${asset.targetId} ${asset.slot}`;
    held.set(key, [...(held.get(key) ?? []), asset]);
  }
  return fewAtOnce(entries, few, async (entry) => {
    if (entry.status !== 'matched') return entry;
    const [asset, ...others] = held.get(placeKey(entry.place)) ?? [];
    if (asset === undefined) return entry;
    if (others.length > 0) return severalAssets(entry, others.length + 1);
    return { ...entry, change: await changeOf(entry, asset, comparing) };
  });
}

async function changeOf(
  { picture }: MatchedEntry,
  { assetId, updatedAt }: HeldAsset,
  { bytes, revisionOf }: Comparing,
): Promise<PlannedChange> {
  if (picture !== null && bytes.get(assetId.toLowerCase()) === picture.sha256) {
    return { operation: 'unchanged', assetId };
  }
  return {
    operation: 'replace',
    expectedPreviousAssetId: assetId,
    expectedAssetUpdatedAt: updatedAt ?? (await revisionOf(assetId)),
  };
}

function severalAssets({ path, place, picture, problem }: MatchedEntry, count: number): AmbiguousEntry {
  return {
    status: 'ambiguous',
    path,
    places: [place],
    morePlaces: 0,
    why: { code: 'several_assets', message: `The Set has ${count} pictures in this place.` },
    ask: `Which of the ${count} that the Set has does ${cleanText(path)} replace? edit_set takes it with items.`,
    picture,
    problem,
  };
}
