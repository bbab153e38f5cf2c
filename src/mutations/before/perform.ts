import { canonicalDigest, canonicalJson } from '../../canonical-json.ts';
import { requireScopesOfAll } from '../../catalogue/authorization.ts';
import { type ClientMutationId, type JsonObject, jsonBytes } from '../../catalogue/request.ts';
import { ArtworkError, errorTraits } from '../../errors.ts';
import type { NewMutation } from '../../ledger/ledger.ts';
import {
  compareAccounts,
  type MutationRecord,
  type MutationRow,
  mayClaimAgain,
  standingOf,
} from '../../ledger/rows.ts';
import { describe } from '../answer/describe.ts';
import { type Checked, showDryRun } from '../answer/dry-run.ts';
import { placeOfItem } from '../answer/items.ts';
import { askStatus } from '../answer/next.ts';
import { MutationError, type MutationResult } from '../answer/result.ts';
import { namesOf } from '../answer/words.ts';
import { requireNotCancelled } from '../caller.ts';
import type { Warning } from '../change.ts';
import type { Intended } from '../operations/operation.ts';
import { compareRevisions, type Guard, neededToRead } from '../operations/revisions.ts';
import type { UploadSource } from '../ports.ts';
import { requireSameAccount } from '../run/wire.ts';
import { conflictError, idReusedError } from './conflicts.ts';
import { checkTargets } from './places.ts';
import { requireOwn, type Session } from './session.ts';

/** A change as one call makes it: with its bytes at hand. */
export interface Made {
  readonly change: Intended;
  /** Of an upload: its open file. */
  readonly source: UploadSource | null;
  /** Of a submission: the name under which the copies of its files are kept. */
  readonly keeper: string | null;
  readonly warnings: readonly Warning[];
}

/** Its own revision is always read, for what stands there; those that the service compares are left to it. */
function comparedBefore([own, ...others]: readonly Guard[]): Guard[] {
  return own === undefined ? [] : [own, ...others.filter(({ onWire }) => !onWire)];
}

/**
 * The one path of every change, once its files are read: what is known of the id, what the service shows, the claim; then
 * it is carried out. What stops it before the claim leaves no trace. The source is closed whatever happens; the copies
 * are freed where nothing was claimed with them.
 * @param answering who waits for the answer, where that is another one than whom the reading was for
 */
export async function performMade(
  session: Session,
  made: Made,
  dryRun: boolean,
  answering = session.caller,
): Promise<MutationResult> {
  const { scope, service, ports } = session;
  const { change } = made;
  let isHandedOn = false;
  const handOn = () => {
    isHandedOn = true;
  };
  try {
    const known = await findKnown(session, change);
    if (known !== null) return await replay(session, known, made, dryRun, answering, handOn);
    // Another process had it when this call read its files, and has ended it unsent: nothing is kept to claim it with.
    const unkept = dryRun || !lacksCopies(made) ? null : await session.ledger.read(scope, change.id);
    if (unkept !== null) return await describe(session, unkept);
    let checked: Checked;
    try {
      checked = await check(session, made);
      if (dryRun) return showDryRun(service, checked, await noticedBy(session, change));
      const { deadline } = session.caller;
      requireSameAccount(await ports.connections.bearer({ signal: deadline.signal }), scope);
      requireNotCancelled(deadline);
    } catch (error) {
      if (!(error instanceof ArtworkError)) throw error;
      // Another process may have sent this very change meanwhile: its effect is what the checks then object to.
      const now = await findKnown(session, change);
      if (now !== null) return await describe(session, now, { error });
      throw asNotSent(error, change.id);
    }
    return await claimAndCarryOut(session, made, checked, answering, handOn);
  } finally {
    if (!isHandedOn) await letGo(session, made);
  }
}

function lacksCopies({ change, keeper }: Made): boolean {
  return change.by === 'submission' && keeper === null && change.items.some(({ file }) => file !== null);
}

async function claimAndCarryOut(
  session: Session,
  made: Made,
  checked: Checked,
  answering: Session['caller'],
  handOn: () => void,
): Promise<MutationResult> {
  const { ledger, scope, runner } = session;
  const { change, source } = made;
  const body = newMutation(session, made, checked);
  const claim = await ledger.claim(scope, body, session.since);
  switch (claim.claim) {
    case 'reused':
      requireOwn(claim.row, scope);
      throw idReusedError(await recordOf(session, claim.row));
    case 'conflict':
      throw conflictError(change.id, claim.other, scope);
    case 'known':
      return replay(session, await recordOf(session, claim.row), made, false, answering, handOn);
    case 'leased': {
      handOn();
      const work = { change, lease: claim.lease, row: claim.row, body, source };
      const { row, error } = await runner.carryOut(work, answering);
      return describe(session, { row, body }, { warnings: checked.warnings, error });
    }
  }
}

/**
 * What this call opened and kept, unless the ledger needs it: an earlier call may have kept it, and this call's claim may
 * have come through although its answer was lost.
 */
async function letGo({ ports: { copies, log }, ledger }: Session, { source, keeper }: Made): Promise<void> {
  await source?.close();
  if (keeper === null) return;
  try {
    if (!(await ledger.mayNeedCopies(keeper, 0))) await copies.release(keeper);
  } catch (error) {
    if (!(error instanceof ArtworkError)) throw error;
    log.warn(`Kept bytes could not be freed: ${error.message}`);
  }
}

/**
 * What the ledger knows of the id, where that is not to be sent (again); null: it is.
 * @throws MutationError `mutation_id_reused`; `not_found` for an id of another account
 */
async function findKnown({ ledger, scope }: Session, change: Intended): Promise<MutationRecord | null> {
  const known = await ledger.read(scope, change.id);
  if (known === null) return null;
  requireOwn(known.row, scope);
  if (
    known.row.operation !== change.operation ||
    known.row.digest !== canonicalDigest(canonicalJson(change.intent))
  )
    throw idReusedError(known);
  return isUnsent(known.row) ? null : known;
}

/** Nothing of it was sent, or the service said no to the caller: the same call sends it as if for the first time. */
export function isUnsent(row: MutationRow): boolean {
  if (row.abandonedAt !== null) return false;
  return row.state === 'settled' ? mayClaimAgain(row) : standingOf(row) === 'not_sent';
}

async function recordOf({ ledger, scope }: Session, row: MutationRow): Promise<MutationRecord> {
  const record = await ledger.read(scope, row.id);
  if (record === null) throw new TypeError('A row that was read a moment ago is gone.');
  return record;
}

/**
 * The answer to a call that repeats an id with the same intent. What is settled is told; what was turned away goes again,
 * if a look allows it; the rest is looked up.
 */
async function replay(
  session: Session,
  known: MutationRecord,
  made: Made,
  dryRun: boolean,
  answering: Session['caller'],
  handOn: () => void,
): Promise<MutationResult> {
  const { row, body } = known;
  if (dryRun || isOver(row)) return describe(session, known);
  const mayRepeat =
    // A request that was begun and not heard is lost, whatever an earlier one was answered.
    row.state === 'claimed' &&
    row.doubt === 'turned away' &&
    (row.error?.status === 401 || row.error?.status === 429) &&
    !row.isLive &&
    made.change.by === 'single' &&
    made.change.identity !== 'none' &&
    compareAccounts(row, session.scope) === 'same';
  if (mayRepeat) {
    const taken = await session.ledger.acquire(row);
    if (taken !== null) {
      handOn();
      const work = { change: made.change, body, ...taken, source: made.source };
      const seen = await session.runner.carryOut(work, answering);
      return describe(session, { row: seen.row, body }, { error: seen.error });
    }
  }
  const seen = await session.runner.lookUp(made.change, row, body, answering);
  return describe(session, { row: seen.row, body }, { error: seen.error });
}

/** Settled or given up: nothing more comes of it. */
export function isOver(row: MutationRow): boolean {
  return row.state === 'settled' || row.abandonedAt !== null || standingOf(row) === 'not_sent';
}

/** What the service shows before anything is claimed: where it goes, what is in its way, and last the revisions. */
async function check(session: Session, { change, warnings }: Made): Promise<Checked> {
  const { ports, ledger, scope, since, caller } = session;
  const { deadline } = caller;
  const compared = comparedBefore(change.guards);
  requireScopesOfAll([change.needed, ...compared.map(neededToRead)], session.account.scopes);
  const untold = await checkTargets(change, ports.catalogue, deadline);
  const conflict = await ledger.findConflict(scope, change.id, change.keys, since);
  if (conflict !== null) throw conflictError(change.id, conflict, scope);
  const own = await compareRevisions(compared, ports.owned, deadline);
  requireMakeable(change);
  return {
    change,
    names: namesOf(change, own, ports.catalogue),
    earlier: bounded(change.earlier(own)),
    warnings: [...warnings, ...untold],
  };
}

/** Whether the request can be made at all: a revision that only we know can't be sent. @throws `invalid_arguments` */
function requireMakeable(change: Intended): void {
  if (change.by === 'submission') change.admission();
}

/** Characters of JSON. */
const longestEarlier = 100_000;

function bounded(earlier: JsonObject): JsonObject {
  return JSON.stringify(earlier).length <= longestEarlier ? earlier : {};
}

async function noticedBy({ ports, caller }: Session, change: Intended) {
  return change.by === 'single' ? change.notice({ owned: ports.owned, deadline: caller.deadline }) : null;
}

/** The row and the body of a change as a claim makes them: a process that finds it after a crash has no other source. */
function newMutation({ ports }: Session, { change, source, keeper }: Made, checked: Checked): NewMutation {
  const { id, operation, expectedUpdatedAt, keys, target, intent } = change;
  const { names, earlier } = checked;
  const isSubmission = change.by === 'submission';
  return {
    id,
    operation,
    expectedUpdatedAt,
    keys: [...new Set(keys)],
    items: isSubmission
      ? change.items.map((item) => ({
          item: item.itemId,
          place: placeOfItem(item),
          digest: item.file?.sha256 ?? null,
          length: item.file?.contentLength ?? null,
        }))
      : [],
    intent: canonicalJson(intent),
    target,
    names,
    earlier: Object.keys(earlier).length === 0 ? null : earlier,
    noticed: null,
    admission: isSubmission ? jsonBytes(change.admission()).toString() : null,
    file: source === null ? null : { path: source.path },
    machine: keeper === null ? null : ports.copies.machine,
    keeper,
  };
}

/** An error of what comes before the claim says that nothing was sent. */
export function asNotSent(error: ArtworkError, clientMutationId: string): MutationError {
  if (error instanceof MutationError) return error;
  const { failure, message } = error;
  const again = 'Nothing was sent. Make the same call again in a moment, with the same id.';
  const next = error.next ?? (errorTraits[failure].passes ? { why: again } : undefined);
  return new MutationError(failure, message, {
    ...error,
    next,
    cause: error,
    clientMutationId,
    outcome: 'not_sent',
  });
}

/** The error of a file that can't be sent, by what is known of the id: an earlier call may have sent it. */
export async function withKnown(
  { ledger, scope }: Session,
  clientMutationId: ClientMutationId,
  error: ArtworkError,
): Promise<MutationError> {
  const record = await ledger.read(scope, clientMutationId);
  if (record === null || isUnsent(record.row)) return asNotSent(error, clientMutationId);
  const why = 'An earlier call used this id when the file was still there. This tells what became of it.';
  return new MutationError(error.failure, error.message, {
    ...error,
    cause: error,
    clientMutationId,
    next: askStatus(clientMutationId, why),
  });
}
