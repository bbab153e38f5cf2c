import { type ItemState, itemStates, type MutationState, mutationStates } from '../../src/ledger/rows.ts';
import { type SqlRow, sql } from '../../src/store/sql.ts';

/** How the store has a change, as far as the watch needs to know it. */
export interface StoredRecord {
  readonly id: string;
  readonly digest: string;
  readonly state: MutationState;
  /** Something of it may have been applied. */
  readonly isDoubted: boolean;
  readonly epoch: number;
  /** The name of a process. */
  readonly holder: string | null;
  readonly beat: number;
  readonly outcome: string | null;
  readonly isAbandoned: boolean;
  readonly subject: string | null;
  readonly submission: string | null;
  /** Its items with files. */
  readonly items: ReadonlyMap<string, StoredItem>;
}

export interface StoredItem {
  readonly state: ItemState;
  /** Of the bytes that are meant. */
  readonly digest: string;
}

/** What the watch reads after each write: every change, and the items that have files. */
export const recordsQuery = sql`SELECT id, digest, state, doubt, epoch, holder, beat, outcome, abandoned, subject,
  submission FROM artwork.mutation`;
export const itemsQuery = sql`SELECT id, item, digest, state FROM artwork.mutation_item WHERE digest IS NOT NULL`;

export function recordsOf(rows: readonly SqlRow[], itemRows: readonly SqlRow[]): Map<string, StoredRecord> {
  const records = new Map<string, StoredRecord>();
  for (const row of rows) {
    const id = String(row.id);
    records.set(id, {
      id,
      digest: String(row.digest),
      state: mutationStates[Number(row.state)] ?? 'claimed',
      isDoubted: Number(row.doubt) > 0,
      epoch: Number(row.epoch),
      holder: row.holder === null ? null : processOf(String(row.holder)),
      beat: Number(row.beat),
      outcome: textOf(row.outcome),
      isAbandoned: row.abandoned !== null,
      subject: textOf(row.subject),
      submission: textOf(row.submission),
      items: new Map(
        itemRows
          .filter((item) => item.id === row.id)
          .map((item) => [
            String(item.item),
            {
              state: itemStates[Number(item.state)] ?? 'fresh',
              digest: String(item.digest),
            },
          ]),
      ),
    });
  }
  return records;
}

/** Which process a holder of a lease is: the ledger puts the number of the lease before its name. */
export function processOf(holder: string): string {
  return holder.slice(holder.lastIndexOf(' ') + 1);
}

function textOf(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value);
}

/** Neither settled nor given up. */
export function isOpen({ state, isAbandoned }: StoredRecord): boolean {
  return state !== 'settled' && !isAbandoned;
}
