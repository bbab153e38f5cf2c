import type { ListFilter } from '../../ledger/ledger.ts';
import {
  type AccountScope,
  compareAccounts,
  type MutationRecord,
  standingOf,
  type UserScope,
} from '../../ledger/rows.ts';
import type { TargetReference } from '../../model/target.ts';
import { keptChange } from '../operations/index.ts';
import type { MutationPorts } from '../ports.ts';
import { readStoredReceipt } from '../receipt.ts';
import { undoOf } from './describe.ts';
import type { ListedMutation, MutationPage, PendingChange } from './result.ts';
import { keyOfName, sentenceOf, touchedBy } from './words.ts';

/** Whose changes are listed: those of the connected account, or for a person at this machine all of the user's. */
export type Whose = AccountScope | UserScope;

/** A page of changes, newest first. */
export async function pageOfMutations(
  ports: MutationPorts,
  whose: Whose,
  filter: ListFilter,
): Promise<MutationPage> {
  const { records, next } = await (await ports.ledger()).list(whose, filter);
  return { mutations: records.map((record) => listed(record, whose)), next };
}

/** A change as the list shows it: of another account's only that there is one. */
export function listed(record: MutationRecord, whose: Whose): ListedMutation {
  const { row, body } = record;
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
    abandonedAt: row.abandonedAt === null ? null : timeOf(row.abandonedAt),
  };
  if (account === 'other')
    return { ...all, says: 'A change of another account of this user.', target: null, error: null };
  const { what, done } = sentenceOf(record);
  const id = touchedBy(record);
  const undo = undoOf(record);
  return {
    ...all,
    says: outcome === 'succeeded' ? `${what} ${done}.` : `${what}: ${outcome}.`,
    ...(id === null ? {} : { id }),
    target: body.target,
    ...(undo === null ? {} : { undo }),
    error: row.error === null ? null : { code: row.error.code, message: row.error.message },
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
  ports: MutationPorts,
  scope: AccountScope,
): Promise<ReadonlyMap<string, string>> {
  const ledger = await ports.ledger();
  const known = new Map<string, string>();
  let after: ListFilter['after'];
  for (let page = 0; page < mostPages; page += 1) {
    const { records, next } = await ledger.list(scope, { limit: 200, after });
    for (const record of records) {
      if (compareAccounts(record.row, scope) === 'other') continue;
      for (const [assetId, sha256] of savedIn(record)) known.set(assetId.toLowerCase(), sha256);
    }
    if (next === null) break;
    after = next;
  }
  return known;
}

/** What a change that succeeded, or did in part, has sent, by the Assets that it became. */
function savedIn(record: MutationRecord): (readonly [assetId: string, sha256: string])[] {
  const { row } = record;
  if (row.outcome !== 'succeeded' && row.outcome !== 'partial') return [];
  const change = keptChange(record);
  const receipt = readStoredReceipt(row.receipt);
  if (change === null || receipt === null) return [];
  if (change.by === 'single')
    return change.file === null || receipt.savedId === null ? [] : [[receipt.savedId, change.file.sha256]];
  const items = new Map((receipt.items ?? []).map((item) => [item.itemId.toLowerCase(), item]));
  return change.items.flatMap(({ itemId, file }) => {
    const item = items.get(itemId);
    return file === null || !item?.assetId || item.error !== null
      ? []
      : [[item.assetId, file.sha256] as const];
  });
}

/** The document does not say how long public reads take to catch up (States, rule 3). ms */
const longestPendingMs = 24 * 60 * 60_000;
const mostPending = 50;

/**
 * The account's changes of any of these things that are not settled, or were not public when they ended, newest first.
 * @param things every Set is a `set`, a Boxset or Loadout a `group`
 * @param isPublic what was seen to be public since
 */
export async function pendingChanges(
  ports: MutationPorts,
  scope: AccountScope,
  things: readonly TargetReference[],
  isPublic: (clientMutationId: string) => boolean,
): Promise<readonly PendingChange[]> {
  const touches = [...new Set(things.map(({ kind, id }) => keyOfName(kind, id)))];
  if (touches.length === 0) return [];
  const since = ports.clock.now() - longestPendingMs;
  const records = await (await ports.ledger()).touching(scope, touches, since, mostPending);
  return records.flatMap((record): PendingChange[] => {
    const { row } = record;
    const outcome = standingOf(row);
    const isShown =
      row.state === 'settled'
        ? readStoredReceipt(row.receipt)?.publicationStatus === 'pending' && !isPublic(row.id)
        : outcome !== 'not_sent';
    if (!isShown || compareAccounts(row, scope) === 'other') return [];
    const recordedAt = timeOf(row.changedAt);
    return [
      { clientMutationId: row.id, operation: row.operation, outcome, id: touchedBy(record), recordedAt },
    ];
  });
}
