import { readReceipt } from '../../catalogue/receipt.ts';
import type { EntryView } from '../../ledger/entry-view.ts';
import { openAccountLedger } from '../session.ts';
import { readStoredReceipt } from '../stored-receipt.ts';
import type { MutationPorts } from '../ports.ts';
import { rehydrateMutation } from '../operations/find-operation.ts';
import type { ListMutations } from './list-mutations.ts';

/** The digest of the bytes that an Asset was made of, by the Asset's id in lower case. */
export type KnownBytes = ReadonlyMap<string, string>;

/** Pages of 200; what is older is as if it was not known. */
const mostPages = 5;

/**
 * What the connected account's ledger surely knows of the bytes of its Assets: those of mutations that the service
 * has said to have saved. An Asset's bytes never change: a replacement is another Asset (interface document, Asset
 * feed item).
 */
export async function listKnownBytes(ports: MutationPorts): Promise<KnownBytes> {
  const { ledger, scope } = await openAccountLedger(ports);
  const known = new Map<string, string>();
  let after: ListMutations['after'];
  for (let page = 0; page < mostPages; page += 1) {
    const { views, next } = await ledger.list(scope, { limit: 200, after });
    for (const view of views) {
      for (const [assetId, sha256] of savedBy(view)) known.set(assetId.toLowerCase(), sha256);
    }
    if (next === null) break;
    after = next;
  }
  return known;
}

function savedBy({ entry, standing }: EntryView): [assetId: string, sha256: string][] {
  if (standing !== 'succeeded' && standing !== 'partial') return [];
  const kept = readStoredReceipt(entry.receipt);
  const mutation = kept === null ? null : rehydrateMutation(entry);
  if (kept === null || mutation === null) return [];
  const { declared, bytes, clientMutationId } = mutation;
  if (bytes !== null) {
    const { savedId } = readReceipt({ data: kept.receipt }, 'asset', clientMutationId);
    return savedId === null ? [] : [[savedId, bytes.sha256]];
  }
  const items = new Map((kept.items ?? []).map((item) => [item.itemId.toLowerCase(), item]));
  return (declared?.items ?? []).flatMap(({ itemId, file }): [string, string][] => {
    const item = items.get(itemId);
    return file === null || !item?.assetId || item.error !== null ? [] : [[item.assetId, file.sha256]];
  });
}
