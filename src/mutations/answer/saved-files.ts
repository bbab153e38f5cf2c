import type { EntryView } from '../../ledger/ledger.ts';
import { readStoredReceipt } from '../finding.ts';
import type { PlacedBytes } from '../mutation.ts';
import { rehydrateMutation } from '../operations/find-operation.ts';
import { fileItems } from '../submission.ts';
import { touchedBy } from './describe-mutation.ts';

/** Bytes that the service has said to have saved, and for what. */
export interface SavedFile extends Omit<PlacedBytes, 'clientMutationId'> {
  /** The Asset that they are; null where the service did not say it. */
  readonly assetId: string | null;
}

/** What a mutation that succeeded, or did in part, has sent: its one file, or those of its items that were saved. */
export function savedFilesOf({ entry, standing }: EntryView): readonly SavedFile[] {
  if (standing !== 'succeeded' && standing !== 'partial') return [];
  const mutation = rehydrateMutation(entry);
  if (mutation === null) return [];
  if (mutation.by === 'upload') {
    const id = touchedBy(entry)?.id;
    return [{ ...mutation.bytes, assetId: typeof id === 'string' ? id : null }];
  }
  if (mutation.by === 'request') return [];
  const kept = readStoredReceipt(entry.receipt);
  const items = new Map((kept?.items ?? []).map((item) => [item.itemId.toLowerCase(), item]));
  return fileItems(mutation.declared).flatMap(({ itemId, file: { sha256 }, slot, targetKind, targetId }) => {
    const item = items.get(itemId);
    if (!item?.assetId || item.error !== null) return [];
    return [{ sha256, slot, target: { kind: targetKind, id: targetId }, assetId: item.assetId }];
  });
}
