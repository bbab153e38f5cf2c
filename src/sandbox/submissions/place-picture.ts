import type { Caller } from '../access/caller.ts';
import type { OwnerSide } from '../me/owner-side.ts';
import { requireType } from '../uploads/declared-file.ts';
import type { Placement } from '../uploads/placement.ts';
import { saveAsset } from '../uploads/save.ts';
import type { StoredItem } from './store.ts';

/** Saves the file that has arrived for an item as an Asset in its place. Answers the Asset's id. */
export function placePicture(
  side: OwnerSide,
  caller: Caller,
  { item, file }: StoredItem,
  placement: Omit<Placement, 'target' | 'slot'>,
  now: Date,
  clientMutationId: string,
): string {
  const { declaredFile } = item;
  if (declaredFile === null || file === null || file.key === null || file.inspected === null) {
    throw new TypeError(`Item ${item.itemId} has no picture to place.`);
  }
  const { contentType, contentLength, filename, selectedSourceFrame } = declaredFile;
  const assetId = assetIdOf(file.key);
  saveAsset(
    side,
    caller,
    {
      assetId,
      key: file.key,
      declared: { contentType: requireType(contentType), contentLength, filename },
      sha256: file.sha256,
      inspected: file.inspected,
      selectedFrame: selectedSourceFrame,
    },
    { ...placement, target: { kind: item.targetKind, id: item.targetId }, slot: item.slot },
    now,
    clientMutationId,
  );
  return assetId;
}

/** Arrived files are kept under the id that their Asset gets. */
function assetIdOf(key: string): string {
  const id = /^upload-([0-9a-f-]{36})\./.exec(key)?.[1];
  if (id === undefined) throw new TypeError(`${key} is no kept upload.`);
  return id;
}
