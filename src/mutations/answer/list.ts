import type { Ledger, ListFilter } from '../../ledger/ledger.ts';
import {
  type AccountScope,
  compareAccounts,
  type MutationRecord,
  standingOf,
  type UserScope,
} from '../../ledger/rows.ts';
import { keptChange } from '../operations/index.ts';
import { readStoredReceipt } from '../receipt.ts';
import { undoOf } from './describe.ts';
import { known, type ListedMutation, type MutationPage } from './result.ts';
import { sentenceOf, touchedBy } from './words.ts';

/** Whose changes are listed: those of the connected account, or for a person at this machine all of the user's. */
export type Whose = AccountScope | UserScope;

/** A page of changes, newest first. */
export async function pageOfMutations(
  ledger: Ledger,
  whose: Whose,
  filter: ListFilter,
): Promise<MutationPage> {
  const { records, next } = await ledger.list(whose, filter);
  const ids = new Set<string>(records.map(({ row }) => row.id));
  const mutations = records.map((record) => {
    const { undo, ...one } = listed(record, whose);
    // An undo that was made is a newer change in the same list.
    return undo === undefined || ids.has(String(undo.arguments.clientMutationId)) ? one : { ...one, undo };
  });
  return { mutations, next };
}

/** A change as the list shows it: of another account's only that there is one. */
export function listed(record: MutationRecord, whose: Whose): ListedMutation {
  const { row, body } = record;
  const { abandonedAt, error } = row;
  const outcome = standingOf(row);
  const account = 'connection' in whose ? compareAccounts(row, whose) : 'same';
  const all = {
    clientMutationId: row.id,
    operation: row.operation,
    outcome,
    ...(account === 'same' ? {} : { account }),
    live: row.isLive,
    createdAt: timeOf(row.createdAt),
    recordedAt: timeOf(row.changedAt),
    abandonedAt: abandonedAt === null ? null : timeOf(abandonedAt),
  };
  if (account === 'other')
    return { ...all, says: 'A change of another account of this user.', target: null, error: null };
  const { what, done } = sentenceOf(record);
  return {
    ...all,
    says: outcome === 'succeeded' ? `${what} ${done}.` : `${what}: ${outcome}.`,
    ...known({ id: touchedBy(record), undo: undoOf(record) }),
    target: body.target,
    error: error === null ? null : { code: error.code, message: error.message },
  };
}

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** Pages of 200; what is older is as if it was not known. */
const mostPages = 5;

/**
 * What the ledger surely knows of the bytes of the account's Assets: the digest by the id in lower case. An Asset's bytes
 * never change: a replacement is another Asset (interface document, Asset feed item).
 */
export async function listKnownBytes(
  ledger: Ledger,
  scope: AccountScope,
): Promise<ReadonlyMap<string, string>> {
  const known = new Map<string, string>();
  let after: ListFilter['after'] | null;
  for (let page = 0; page < mostPages && after !== null; page += 1) {
    const { records, next } = await ledger.list(scope, { limit: 200, after });
    const own = records.filter(({ row }) => compareAccounts(row, scope) !== 'other');
    for (const [assetId, sha256] of own.flatMap(savedIn)) known.set(assetId.toLowerCase(), sha256);
    after = next;
  }
  return known;
}

/** What a change that succeeded, or did in part, has sent, by the Assets that it became. */
function savedIn(record: MutationRecord): (readonly [assetId: string, sha256: string])[] {
  const { outcome, receipt: kept } = record.row;
  if (outcome !== 'succeeded' && outcome !== 'partial') return [];
  const change = keptChange(record);
  const receipt = readStoredReceipt(kept);
  if (change === null || receipt === null) return [];
  if (change.by === 'single')
    return change.file === null || receipt.savedId === null ? [] : [[receipt.savedId, change.file.sha256]];
  const digests = new Map(change.items.map(({ itemId, file }) => [itemId.toString(), file?.sha256]));
  return (receipt.items ?? []).flatMap(({ itemId, assetId, error }) => {
    const sha256 = digests.get(itemId.toLowerCase());
    return sha256 === undefined || !assetId || error !== null ? [] : [[assetId, sha256] as const];
  });
}
