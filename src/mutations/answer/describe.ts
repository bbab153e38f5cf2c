import { isRecord } from '../../catalogue/records/members.ts';
import { jsonObject } from '../../catalogue/request.ts';
import { ArtworkError, type Failure, isFailure, type Next } from '../../errors.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import {
  type AccountScope,
  compareAccounts,
  type KeptError,
  type MutationRecord,
  standingOf,
} from '../../ledger/rows.ts';
import { keptChange } from '../operations/index.ts';
import { deriveUuid } from '../operations/items.ts';
import type { MutationPorts, Service } from '../ports.ts';
import { readStoredReceipt, type Warning } from '../receipt.ts';
import { firstItems, tellItems } from './items.ts';
import { askStatus } from './next.ts';
import { type ItemPage, MutationError, type MutationResult, type UndoCall } from './result.ts';
import { type Facts, tell } from './situation.ts';
import { inService, sentenceOf, touchedBy } from './words.ts';

/** What a call learnt beside what the ledger holds. */
export interface Observed {
  readonly warnings?: readonly Warning[] | undefined;
  /** Why the call could not go on, with the call that leads on. */
  readonly error?: ArtworkError | null | undefined;
  /** What a person may look at, which settles nothing. */
  readonly hint?: string | null | undefined;
  /** The service was asked, and told no outcome. */
  readonly hasLooked?: boolean | undefined;
  /** How far public reads show it by now. */
  readonly publicationStatus?: string | null | undefined;
  /** Which items of a submission are wanted; left out: the first ones that failed or are open. */
  readonly page?: (ItemPage & { readonly receipt?: boolean }) | undefined;
}

interface At {
  readonly ledger: Ledger;
  readonly service: Service;
  readonly scope: AccountScope;
  readonly ports: Pick<MutationPorts, 'copies'>;
}

/**
 * An answer about a change as it stands.
 * @throws MutationError where it ended `refused` or `not_sent`
 */
export async function describe(
  { ledger, service, scope, ports }: At,
  record: MutationRecord,
  observed: Observed = {},
): Promise<MutationResult> {
  const { row, body } = record;
  const change = keptChange(record);
  // "Could not confirm the result" is also a word of the service's, which may work on it all the same (States, rule 6).
  const isUnconfirmed = (observed.error ?? row.error)?.code === 'service_unresolved';
  const standing = row.state === 'accepted' && isUnconfirmed ? 'unresolved' : standingOf(row);
  const receipt = readStoredReceipt(row.receipt);
  const isOver = row.state === 'settled';
  const page = observed.page ?? firstItems;
  const items =
    change?.by === 'submission'
      ? tellItems(await ledger.items(scope, row.id), receipt, isOver, body.names, page)
      : null;
  const facts: Facts = {
    record,
    standing,
    change,
    account: compareAccounts(row, scope),
    hasLooked: observed.hasLooked === true,
    machine: ports.copies.machine,
    counts: items?.counts ?? {},
  };
  const told = tell(facts);
  if (standing === 'refused' || standing === 'not_sent')
    throw changedNothing(record, told.next, observed.error);
  const publicationStatus = observed.publicationStatus ?? receipt?.publicationStatus;
  const updatedAt = receipt?.updatedAt;
  const warnings = [...(receipt?.warnings ?? []), ...(observed.warnings ?? [])];
  const error = standing === 'succeeded' ? null : (row.error ?? null);
  const undo = undoOf(record);
  const pending = publicationStatus === 'pending' && isOver ? ' Public reads show it later.' : '';
  const hint = observed.hint ? ` ${observed.hint}` : '';
  const id = touchedBy(record);
  const next = nextOfConnection(observed.error) ?? told.next;
  const isWhole = items === null || items.items.length > 0 || page.all;
  return {
    outcome: standing,
    clientMutationId: row.id,
    says: inService(`${told.says}${pending}${hint}`, service),
    ...(id === null ? {} : { id }),
    ...(updatedAt ? { updatedAt } : {}),
    ...(publicationStatus ? { publicationStatus } : {}),
    ...(items === null ? {} : { counts: items.counts }),
    ...(items === null || !isWhole ? {} : { items: items.items, nextItems: items.nextItems }),
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(undo === null ? {} : { undo }),
    ...(error === null ? {} : { error: knownError(error) }),
    ...(observed.page?.receipt === true && receipt !== null ? { receipt: receipt.record } : {}),
    ...(next === undefined ? {} : { next }),
  };
}

/** An answer about a call whose files are still being read, of which the ledger knows nothing so far. */
export function describePreparing(
  service: Service,
  clientMutationId: string,
  dryRun: boolean,
): MutationResult {
  const why = 'The files are still being read: this waits for what comes of it.';
  const says = dryRun
    ? 'The files of the dry run are still being read. Nothing is sent.'
    : 'The files are still being read and copied. Nothing was sent so far.';
  const next = askStatus(clientMutationId, why);
  return { outcome: 'processing', clientMutationId, says: inService(says, service), next };
}

/** The ready call that puts back what stood there before; null: there is none. */
export function undoOf(record: MutationRecord): UndoCall | null {
  const { row, body } = record;
  const earlier = jsonObject.safeParse(body.earlier);
  const change = row.outcome === 'succeeded' && earlier.success ? keptChange(record) : null;
  if (change === null || !earlier.success || Object.keys(earlier.data).length === 0) return null;
  const args = change.undo(earlier.data);
  const isCleared = isRecord(body.target) && body.target.relationship === 'clear';
  const expectedUpdatedAt = isCleared ? 'none' : (readStoredReceipt(row.receipt)?.updatedAt ?? null);
  if (args === null || expectedUpdatedAt === null) return null;
  const clientMutationId = deriveUuid(row.id, 'undo');
  return { tool: row.operation, arguments: { clientMutationId, expectedUpdatedAt, ...args } };
}

/** Only a sign-in brings the matter forward then. A 401 to the change itself says nothing of the connection. */
function nextOfConnection(error: ArtworkError | null | undefined): Next | undefined {
  if (error?.status === 401) return undefined;
  switch (error?.failure) {
    case 'not_connected':
    case 'reconnect_required':
    case 'scope_missing':
      return error.next;
    default:
      return undefined;
  }
}

function knownError({ code, message, details, issues }: KeptError): MutationResult['error'] {
  return {
    code,
    message,
    ...(details === undefined ? {} : { details }),
    ...(issues === undefined ? {} : { issues }),
  };
}

function changedNothing(
  record: MutationRecord,
  next: Next | undefined,
  error: ArtworkError | null | undefined,
): MutationError {
  const { row } = record;
  const why = error ?? asError(row.error, row.outcome, row.abandonedAt !== null);
  const message = `${/[.!?]$/.test(why.message) ? why.message : `${why.message}.`} This was about: ${sentenceOf(record).what}.`;
  return new MutationError(why.failure, message, {
    code: why.code,
    status: why.status ?? row.error?.status,
    details: why.details,
    issues: why.issues,
    next: why.next ?? next,
    cause: why,
    clientMutationId: row.id,
    outcome: row.outcome === 'refused' ? 'refused' : 'not_sent',
  });
}

function asError(kept: KeptError | null, outcome: string | null, isGivenUp: boolean): ArtworkError {
  if (kept !== null) return new ArtworkError(failureOf(kept), kept.message, kept);
  if (outcome === 'refused') return new ArtworkError('cancelled', 'The service refused it.');
  return isGivenUp
    ? new ArtworkError('cancelled', 'A person gave it up before anything was sent.', { code: 'abandoned' })
    : new ArtworkError('cancelled', 'The process that was to send it ended before anything was sent.', {
        code: 'process_ended',
      });
}

function failureOf({ failure }: KeptError): Failure {
  return isFailure(failure) ? failure : 'internal';
}
