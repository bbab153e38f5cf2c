import { z } from 'zod';
import { ArtworkError } from '../../errors.ts';
import { compareAccounts, type MutationRecord } from '../../ledger/rows.ts';
import { describe } from '../answer/describe.ts';
import { askStatus } from '../answer/next.ts';
import { MutationError, type MutationResult } from '../answer/result.ts';
import { mayGoAgain } from '../answer/situation.ts';
import { checkArguments, guardedArguments } from '../operations/arguments.ts';
import { keptChange } from '../operations/index.ts';
import type { Intended } from '../operations/operation.ts';
import type { UploadSource } from '../ports.ts';
import { requireSameAccount } from '../run/wire.ts';
import { type FileSource, openUpload } from './files.ts';
import { isOver, isUnsent, type Made, performMade } from './perform.ts';
import { requireOwn, type Session } from './session.ts';

/**
 * Goes on with a change under its first identity: with its kept copies, or with the file where it lay. What was never sent is
 * sent; what is settled is told.
 * @param given the guard's arguments; `expectedUpdatedAt` as in the first call
 * @throws MutationError `not_found`; `stale_revision` for another `expectedUpdatedAt`; as `performMade`
 */
export async function resumeById(
  session: Session,
  given: object,
  files: Pick<FileSource, 'roots'>,
): Promise<MutationResult> {
  const { ledger, scope, runner, ports, caller } = session;
  const args = checkArguments(z.object(guardedArguments), given);
  const isDryRun = 'dryRun' in given && given.dryRun === true;
  const known = await ledger.read(scope, args.clientMutationId);
  if (known === null) throw unknownHere(args.clientMutationId);
  requireOwn(known.row, scope);
  requireSameRevision(known, args.expectedUpdatedAt);
  const change = keptChange(known);
  if (change === null) throw unreadable(known);
  const { row, body } = known;
  if (isDryRun) return describe(session, known);
  if (isUnsent(row)) return performMade(session, await madeAgain(session, known, change, files), false);
  if (isOver(row)) return describe(session, known);
  // Nothing that has no identity and no known revision is ever sent again: it is looked for.
  const account = compareAccounts(row, scope);
  const mayGo = row.state === 'accepted' || mayGoAgain({ change, account, record: known });
  const isElsewhere = body.machine !== null && body.machine !== ports.copies.machine;
  if (row.isLive || !mayGo || isElsewhere) {
    const seen = await runner.lookUp(change, row, body, caller);
    return describe(session, { row: seen.row, body }, { error: seen.error });
  }
  requireSameAccount(await ports.connections.bearer({ signal: caller.deadline.signal }), scope);
  const { source, why } = await reopened(session, known, change, files);
  const taken = await ledger.acquire(row);
  if (taken === null) {
    await source?.close();
    return describe(session, (await ledger.read(scope, row.id)) ?? known);
  }
  const seen = await runner.carryOut({ change, body, ...taken, source }, caller);
  return describe(session, { row: seen.row, body }, { error: seen.error ?? why });
}

/** What was never sent, with what was kept for it. @throws ArtworkError `upload_refused` where that is gone */
async function madeAgain(
  session: Session,
  record: MutationRecord,
  change: Intended,
  files: Pick<FileSource, 'roots'>,
): Promise<Made> {
  const { copies } = session.ports;
  const { body } = record;
  if (change.by === 'single') {
    const { source, why } = await reopened(session, record, change, files);
    if (why !== null) throw why;
    return { change, source, keeper: null, warnings: [] };
  }
  const declared = change.items.flatMap(({ file }) => (file === null ? [] : [file]));
  const isHere = body.keeper !== null && body.machine === copies.machine;
  const isWhole = isHere && (await copies.missing(body.keeper, declared)).length === 0;
  if (declared.length > 0 && !isWhole) {
    const where =
      isHere || body.machine === null ? 'here any more' : `on this machine, but on "${body.machine}"`;
    const message = `Nothing was sent, and the copies of the files are not ${where}. Make the call that names the files again, with the same id.`;
    throw new MutationError('upload_refused', message, {
      clientMutationId: record.row.id,
      outcome: 'not_sent',
      details: { reason: 'kept_bytes_missing' },
    });
  }
  return { change, source: null, keeper: body.keeper, warnings: [] };
}

const keptPath = z.object({ path: z.string() });

/** The file of an upload, open again: the very bytes that were meant. `why`: why there are none. */
async function reopened(
  session: Session,
  { body }: MutationRecord,
  change: Intended,
  files: Pick<FileSource, 'roots'>,
): Promise<{ readonly source: UploadSource | null; readonly why: ArtworkError | null }> {
  if (change.by !== 'single' || change.file === null) return { source: null, why: null };
  const kept = keptPath.safeParse(body.file);
  const slot = typeof change.intent.slot === 'string' ? change.intent.slot : '';
  try {
    if (!kept.success) throw gone('the place of its file is not known');
    const source = await openUpload(session, files, { file: kept.data.path, slot });
    if (source.sha256 === change.file.sha256) return { source, why: null };
    await source.close();
    throw gone(`${kept.data.path} holds other bytes now`);
  } catch (error) {
    if (error instanceof ArtworkError && error.failure !== 'cancelled') return { source: null, why: error };
    throw error;
  }
}

function gone(why: string): ArtworkError {
  const message = `This upload can't go on: ${why}. Only the same bytes may be sent under its id.`;
  return new ArtworkError('upload_refused', message, {
    details: { reason: 'source_changed' },
    next: { why: 'A person puts the file back where it was. Then resume_mutation goes on.' },
  });
}

function requireSameRevision({ row }: MutationRecord, given: string | null): void {
  if (row.expectedUpdatedAt === given) return;
  const message = `The first call had another expectedUpdatedAt. resume_mutation takes that one: ${JSON.stringify(row.expectedUpdatedAt ?? 'none')}.`;
  throw new MutationError('stale_revision', message, {
    clientMutationId: row.id,
    details: { expectedUpdatedAt: given, firstCall: row.expectedUpdatedAt },
  });
}

function unknownHere(clientMutationId: string): MutationError {
  const message = `This machine's ledger has no change with the id ${clientMutationId}, so there is nothing to resume.`;
  const next = askStatus(clientMutationId, 'This asks the service whether it knows an upload of this id.');
  return new MutationError('not_found', message, { clientMutationId, next });
}

function unreadable({ row }: MutationRecord): MutationError {
  const message = `Another version of this program began the change ${row.id} (${row.operation}). Only that version can go on with it.`;
  return new MutationError('internal', message, { clientMutationId: row.id });
}
