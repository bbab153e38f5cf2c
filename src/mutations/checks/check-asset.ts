import type { Objection } from './objection.ts';
import { shownAssetOf, readLastReplacement, replacedObjection, type CheckContext } from './occupant.ts';

/** The Asset was not replaced, and has the frame that is named. */
export async function checkAsset(
  { assetId, frame = null }: { readonly assetId: string; readonly frame?: number | null },
  seen: CheckContext,
): Promise<readonly Objection[]> {
  const { replacedByAssetId, frames } = shownAssetOf(seen, assetId);
  if (replacedByAssetId) {
    const there = await readLastReplacement(seen, replacedByAssetId);
    const put = (expectedUpdatedAt: string) => ({ assetId: there.assetId, expectedUpdatedAt });
    return [replacedObjection(assetId, there, ['assetId'], [], put)];
  }
  if (frame === null || frames === undefined || frame < frames) return [];
  const has = frames === 1 ? 'is a still picture' : `has frames 0 to ${frames - 1}`;
  const message = `is ${frame}, and the Asset ${has}`;
  return [{ category: 'invalid_arguments', message, path: ['selectedSourceFrame'] }];
}
