import { compareAccounts } from '../ledger/entry.ts';
import type { EntryView } from '../ledger/ledger.ts';
import { openAccountLedger } from './account.ts';
import { touchedBy } from './answer/touched.ts';
import { keywordOfTouched, ofSubmissions, touchedThings } from './before/keywords.ts';
import { rehydrateMutation } from './operations/find-operation.ts';
import type { MutationPorts } from './ports.ts';
import type { Touched } from './result.ts';

/** A change of one's own that public reads may not show so far. */
export interface PendingChange {
  readonly clientMutationId: string;
  readonly operation: string;
  /** `processing`, `unresolved`: its outcome is not settled. Else it is done, and was not public when it ended. */
  readonly outcome: EntryView['standing'];
  /** What it makes or touches. */
  readonly id: Touched | null;
  /** When the ledger heard of it last, ISO 8601. */
  readonly updatedAt: string;
}

/** A Set, a group, an entity or an Asset that a read shows. */
interface Shown {
  /** As changes name it: every Set is a `set`, a Boxset or Loadout a `group`. */
  readonly kind: string;
  readonly id: number | string;
}

/** The document does not say how long public reads take to catch up (States, rule 3). ms */
const longestPendingMs = 24 * 60 * 60_000;
const mostDone = 20;

/**
 * The connected account's changes of any of these things that are not settled, or were not public when they ended, newest first.
 * @param isPublic what was seen to be public since
 * @throws not_connected, reconnect_required; why the ledger can't be read
 */
export async function pendingChangesOf(
  ports: MutationPorts,
  things: readonly Shown[],
  isPublic: (clientMutationId: string) => boolean,
): Promise<readonly PendingChange[]> {
  const { ledger, scope } = await openAccountLedger(ports);
  const keywords = things.map(keywordOfTouched);
  const open = (await ledger.findOpen(scope, [...keywords, ofSubmissions])).filter(
    ({ entry, standing }) =>
      (standing === 'processing' || standing === 'unresolved') &&
      touchedThings(rehydrateMutation(entry)).some((thing) => keywords.includes(keywordOfTouched(thing))),
  );
  const since = new Date(ports.clock.now() - longestPendingMs).toISOString();
  const done = (await ledger.findDone(scope, keywords, mostDone)).filter(
    ({ entry }) => entry.updatedAt >= since && !isPublic(entry.clientMutationId),
  );
  return [...open, ...done]
    .filter(({ entry }) => compareAccounts(entry, scope) !== 'other')
    .map(({ entry, standing: outcome }) => {
      const { clientMutationId, operation, updatedAt } = entry;
      return { clientMutationId, operation, outcome, id: touchedBy(entry), updatedAt };
    });
}
