import type { LedgerEntry } from '../../../src/ledger/entry.ts';
import { readCheckpoint } from '../../../src/mutations/submission.ts';

/** What the ledger says that was meant for an item: which bytes, and whether its file may have been sent. */
export interface Meant {
  readonly sha256: string;
  /** Its place among the items with files. */
  readonly file: number;
}

interface Intent {
  readonly declaredFiles?: readonly IntendedItem[];
  readonly items?: readonly IntendedItem[];
}

interface IntendedItem {
  readonly itemId: string;
  readonly file?: { readonly sha256: string };
}

/** By the items' ids. */
export function meantBy({ intent }: Pick<LedgerEntry, 'intent'>): ReadonlyMap<string, Meant> {
  const { declaredFiles, items = [] }: Intent = JSON.parse(intent);
  const meant = new Map<string, Meant>();
  for (const { itemId, file } of declaredFiles ?? items) {
    if (file !== undefined) meant.set(itemId, { sha256: file.sha256, file: meant.size });
  }
  return meant;
}

/** Whether it is noted that an item's file may have left: whoever reads that can't know better. */
export function isNoted(entry: LedgerEntry, itemId: string): boolean {
  const file = meantBy(entry).get(itemId)?.file;
  return file !== undefined && file < (readCheckpoint(entry.progress)?.mark ?? 0);
}
