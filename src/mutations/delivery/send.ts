import { sendFile } from '../../catalogue/request.ts';
import type { SendOutcome, SendRequest } from '../../catalogue/send.ts';
import { ArtworkError } from '../../errors.ts';
import type { LedgerEntry } from '../../ledger/entry.ts';
import { type EntryView, isUnsent } from '../../ledger/ledger.ts';
import type { StreamBody } from '../../wire/exchange.ts';
import { nextStatus } from '../answer/next.ts';
import type { Mutation, Outgoing } from '../mutation.ts';
import type { UploadPlan } from '../operations/operation.ts';
import type { MutationPorts, UploadSource } from '../ports.ts';
import { MutationError } from '../result.ts';
import { type CallClock, callCancelledError, openAccountLedger } from '../session.ts';
import { fileInProgress, progressOfFile } from '../submission.ts';
import type { FileSource } from '../upload-files.ts';
import type { Delivery } from './delivery.ts';

/** Another process holds the lease now: nothing was sent, and nothing may be. */
interface Lost {
  readonly lost: EntryView;
}

/** For an answer that the service takes its time with, ms. */
const answerMs = 60_000;
/** The slowest line that an upload is still given up on only by the service, bytes per ms. */
const slowest = 16;

/** Moves the entry to `sending` and sends the request once, if the entry still is this call's. */
export async function sendOnce(delivery: Delivery): Promise<SendOutcome | Lost> {
  const stop = delivery.signals.cancelled;
  let prepared: Prepared;
  try {
    prepared = prepare(delivery, stop);
  } catch (error) {
    if (error instanceof ArtworkError) return { outcome: 'not_sent', error };
    throw error;
  }
  if (stop.aborted) return { outcome: 'not_sent', error: callCancelledError() };
  const { isHolder, view } = await delivery.ledger.send(delivery.lease);
  if (!isHolder) return { lost: view };
  const { request, signal, release } = prepared;
  try {
    return await delivery.ports.send(request, {
      signal,
      deadlineMs: answerMs + request.body.length / slowest,
    });
  } finally {
    release();
  }
}

interface Prepared {
  readonly request: SendRequest;
  readonly signal: AbortSignal;
  /** Stops listening to the wishes. */
  release(): void;
}

function prepare(delivery: Delivery, stop: AbortSignal): Prepared {
  const { outgoing, signals } = delivery;
  const request = outgoing.mutation.request();
  const body = outgoing.body(stop);
  const token = delivery.bearer.token.reveal();
  if (request.body.kind === 'json' || Buffer.isBuffer(body)) {
    const { path, query, headers } = request;
    const { 'Content-Length': _, ...rest } = headers;
    const sent = { path, query, headers: rest, body, bearer: token };
    return { request: sent, signal: signals.closing, release: () => {} };
  }
  const { body: watched, signal, release } = stopWhileIncomplete(body, delivery);
  return { request: sendFile({ ...request, body: request.body }, watched, token), signal, release };
}

/**
 * A body that a cancelled call takes back only as long as its last chunk has not been handed over: until then
 * the service can't apply it, after that the answer is worth waiting for.
 */
function stopWhileIncomplete(body: StreamBody, { signals, progress }: Delivery) {
  const stopping = new AbortController();
  let complete = false;
  const stop = () => {
    if (!complete || signals.closing.aborted) stopping.abort('stopped');
  };
  const heard = [signals.cancelled, signals.closing];
  for (const signal of heard) signal.addEventListener('abort', stop);
  async function* open() {
    let sent = 0;
    for await (const chunk of body.open()) {
      sent += chunk.length;
      progress(sent, body.length, 'uploading');
      yield chunk;
    }
    complete = true;
  }
  const release = () => {
    for (const signal of heard) signal.removeEventListener('abort', stop);
  };
  return { body: { ...body, open }, signal: stopping.signal, release };
}

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
