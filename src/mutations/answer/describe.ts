import { isRecord } from '../../catalogue/records/members.ts';
import { type JsonObject, jsonObject } from '../../catalogue/request.ts';
import { ArtworkError, isFailure, type Next } from '../../errors.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import {
  type AccountScope,
  compareAccounts,
  type KeptError,
  type MutationRecord,
  type MutationRow,
  standingOf,
} from '../../ledger/rows.ts';
import { keptChange } from '../operations/index.ts';
import { deriveUuid } from '../operations/items.ts';
import type { MutationPorts, Service } from '../ports.ts';
import { readStoredReceipt, type Warning } from '../receipt.ts';
import { firstItems, tellItems } from './items.ts';
import { askStatus } from './next.ts';
import { type ItemPage, known, MutationError, type MutationResult, type UndoCall } from './result.ts';
import { tell } from './situation.ts';
import { inService, touchedBy } from './words.ts';

/** What a call learnt beside what the ledger holds. */
export interface Observed {
  readonly warnings?: readonly Warning[] | undefined;
  /** Why the call could not go on, with the call that leads on. */
  readonly error?: ArtworkError | null | undefined;
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
  const { page = firstItems } = observed;
  const change = keptChange(record);
  const receipt = readStoredReceipt(row.receipt);
  const isOver = row.state === 'settled';
  // "Could not confirm the result" is also a word of the service's, which may work on it all the same (States, rule 6).
  const isUnconfirmed = (observed.error ?? row.error)?.code === 'service_unresolved';
  const standing = row.state === 'accepted' && isUnconfirmed ? 'unresolved' : standingOf(row);
  const told =
    change?.by === 'submission'
      ? tellItems(await ledger.items(scope, row.id), receipt, isOver, body.names, page)
      : null;
  const account = compareAccounts(row, scope);
  const { machine } = ports.copies;
  const { hasLooked = false } = observed;
  const { says, next } = tell({
    ...{ record, standing, change, account, hasLooked, machine },
    counts: told?.counts ?? {},
  });
  if (standing === 'refused' || standing === 'not_sent')
    throw changedNothing(record, says, next, observed.error);
  const publicationStatus = observed.publicationStatus ?? receipt?.publicationStatus;
  const pending = publicationStatus === 'pending' && isOver ? ' Public reads show it later.' : '';
  const warnings = [...(receipt?.warnings ?? []), ...(observed.warnings ?? [])];
  return {
    outcome: standing,
    clientMutationId: row.id,
    says: inService(`${says}${pending}`, service),
    ...known({
      id: touchedBy(record),
      updatedAt: receipt?.updatedAt,
      publicationStatus,
      counts: told?.counts,
    }),
    ...(told !== null && (told.items.length > 0 || page.all) ? told : {}),
    ...known({
      warnings: warnings.length === 0 ? null : warnings,
      undo: undoOf(record),
      error: standing === 'succeeded' || row.error === null ? null : knownError(row.error),
      receipt: observed.page?.receipt === true ? receipt?.record : null,
      next: nextOfConnection(observed.error) ?? next,
    }),
  };
}

function knownError({ code, message, details, issues }: KeptError): MutationResult['error'] {
  return { code, message, ...known({ details, issues }) };
}

/** An answer about a call whose files are still being read, of which the ledger knows nothing so far. */
export function describePreparing(service: Service, clientMutationId: string): MutationResult {
  const says = inService('The files are still being read. Nothing was sent so far.', service);
  const next = askStatus(clientMutationId, 'The files are still being read. This waits for the outcome.');
  return { outcome: 'processing', clientMutationId, says, next };
}

/** The ready call that puts back what stood there before; null: there is none. */
export function undoOf(record: MutationRecord): UndoCall | null {
  const { row, body } = record;
  const earlier = jsonObject.safeParse(body.earlier).data ?? {};
  if (row.outcome !== 'succeeded' || Object.keys(earlier).length === 0) return null;
  const args = keptChange(record)?.undo(earlier) ?? null;
  // What was cleared has no revision any more.
  const isCleared = isRecord(body.target) && body.target.relationship === 'clear';
  const expectedUpdatedAt = isCleared ? 'none' : (readStoredReceipt(row.receipt)?.updatedAt ?? null);
  if (args === null || expectedUpdatedAt === null) return null;
  const clientMutationId = deriveUuid(row.id, 'undo');
  return { tool: row.operation, arguments: { clientMutationId, expectedUpdatedAt, ...callable(args) } };
}

/** As tools take them: some hosts can't send a null, and a group's id is a string. */
function callable(args: JsonObject): JsonObject {
  const members = Object.entries(args).map(([name, value]): [string, JsonObject[string]] => {
    if (value === null) return [name, 'none'];
    if (name === 'groupId') return [name, String(value)];
    return [name, isRecord(value) ? callable(jsonObject.parse(value)) : value];
  });
  return Object.fromEntries(members);
}

/** Only a sign-in brings the matter forward then. A 401 to the change itself says nothing of the connection. */
function nextOfConnection(error: ArtworkError | null | undefined): Next | undefined {
  const isOfConnection = error?.concerns === 'account' && error.status !== 401;
  return isOfConnection ? error.next : undefined;
}

/** The error of a change that ended `refused` or `not_sent`: what became of what, and why. */
function changedNothing(
  { row }: MutationRecord,
  says: string,
  next: Next | undefined,
  error: ArtworkError | null | undefined,
): MutationError {
  const why = error ?? keptWhy(row);
  return new MutationError(why.failure, `${says} ${why.message}`, {
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

function keptWhy({ error, outcome }: MutationRow): ArtworkError {
  if (error !== null)
    return new ArtworkError(isFailure(error.failure) ? error.failure : 'internal', error.message, error);
  if (outcome === 'refused') return new ArtworkError('cancelled', 'It did not say why.');
  return new ArtworkError(
    'cancelled',
    'The process that was to send it ended before, or a person gave it up.',
  );
}
