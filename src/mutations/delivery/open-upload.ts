import { ArtworkError } from '../../errors.ts';
import type { LedgerEntry } from '../../ledger/entry.ts';
import { openAccountLedger } from '../session.ts';
import { nextStatus } from '../next-calls.ts';
import type { CallClock } from '../call-clock.ts';
import type { Mutation } from '../mutation.ts';
import { MutationError } from '../mutation-error.ts';
import type { UploadPlan } from '../operations/operation.ts';
import { fileInProgress, progressOfFile } from '../checkpoint.ts';
import type { Outgoing } from '../before-claim/outgoing.ts';
import type { MutationPorts, UploadSource } from '../ports.ts';
import { isUnsent } from '../../ledger/entry-view.ts';
import type { FileSource } from '../file-source.ts';

/** An upload with its file open. @throws ArtworkError `invalid_arguments`, `upload_refused`, `cancelled` */
export async function openUploadOutgoing(
  source: FileSource,
  { file, slot, declare }: UploadPlan,
  time: CallClock,
): Promise<Outgoing> {
  const opened = await open(source, file, slot, time);
  try {
    return outgoing(declare(opened), opened);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/**
 * The upload that an entry stands for, with its file open again: the very bytes that were meant.
 * @throws ArtworkError `upload_refused` where they are not there any more
 */
export async function reopenUploadOutgoing(
  source: FileSource,
  mutation: Mutation,
  { progress }: LedgerEntry,
  time: CallClock,
): Promise<Outgoing> {
  const path = fileInProgress(progress);
  if (path === null || mutation.bytes === null) throw gone('where its file lies is not known');
  const opened = await open(source, path, mutation.bytes.slot, time);
  if (mutation.bytes.sha256 === opened.sha256) return outgoing(mutation, opened);
  await opened.close();
  throw gone(`${path} holds other bytes now`);
}

/**
 * Why a file can't be sent, and what is known of the id: an earlier call may have sent it when the file was
 * still there.
 */
export async function refuseUploadFile(ports: MutationPorts, id: string, error: unknown): Promise<never> {
  if (!(error instanceof ArtworkError) || error.category !== 'upload_refused') throw error;
  const { ledger, scope } = await openAccountLedger(ports);
  const view = await ledger.read(scope, id);
  const { category, message, code, details, issues } = error;
  const facts = { code, details, issues, cause: error, clientMutationId: id };
  if (view === null || isUnsent(view)) {
    throw new MutationError(category, message, { ...facts, next: error.next, outcome: 'not_sent' });
  }
  const next = nextStatus(id, 'An earlier call under this id was sent: this tells what became of it.');
  throw new MutationError(category, message, { ...facts, next });
}

async function open({ files, roots, limit }: FileSource, file: string, slot: string, time: CallClock) {
  const maxBytes = await limit.known();
  return files.open(file, { slot, roots, maxBytes, signal: time.signal, progress: time.progress });
}

function outgoing(mutation: Mutation, source: UploadSource): Outgoing {
  return {
    mutation,
    body: (signal) => source.body(signal),
    progress: progressOfFile(source.path),
    warnings: source.warnings,
    close: () => source.close(),
  };
}

function gone(why: string): ArtworkError {
  return new ArtworkError(
    'upload_refused',
    `This upload can't go on: ${why}. Only the very same bytes may be sent under its id.`,
    { next: { why: 'A person has to put the original file back; then resume_mutation goes on with it.' } },
  );
}
