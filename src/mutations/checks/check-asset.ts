import type { Objection } from './objection.ts';
import { assetIn, lastOfChain, replaced, type CheckContext } from './seen.ts';

/** The Asset was not replaced, and has the frame that is named. */
export async function checkAsset(
  { assetId, frame = null }: { readonly assetId: string; readonly frame?: number | null },
  seen: CheckContext,
): Promise<readonly Objection[]> {
  const { replacedByAssetId, frames } = assetIn(seen, assetId);
  if (replacedByAssetId) {
    const there = await lastOfChain(seen, replacedByAssetId);
    const put = (expectedUpdatedAt: string) => ({ assetId: there.assetId, expectedUpdatedAt });
    return [replaced(assetId, there, ['assetId'], [], put)];
  }
  if (frame === null || frames === undefined || frame < frames) return [];
  const has = frames === 1 ? 'is a still picture' : `has frames 0 to ${frames - 1}`;
  const message = `is ${frame}, and the Asset ${has}`;
  return [{ category: 'invalid_arguments', message, path: ['selectedSourceFrame'] }];
}
