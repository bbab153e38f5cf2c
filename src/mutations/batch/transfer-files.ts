import { sendFile as fileRequest } from '../../catalogue/request.ts';
import { uploadItem } from '../../catalogue/submission.ts';
import { timerMs } from '../../clock.ts';
import { ArtworkError } from '../../errors.ts';
import { mapLimit } from '../../wire/pacing.ts';
import type { BlobSource } from '../ports.ts';
import type { FileItem } from '../submission.ts';
import {
  LeaseLost,
  refusalOfSubmissionRequest,
  requireNotStopped,
  type SubmissionSession,
  submissionIdOf,
} from './session.ts';
import type { TransferProgress, TransferTracker } from './transfer-tracker.ts';

/** The interface document names no limit; a slow line is full with few. */
export const transfersAtOnce = 3;

interface TransferRound {
  /** How many files have arrived in it. */
  readonly arrived: number;
  /** How long the service asks to be left alone, ms. */
  readonly waitMs: number;
}

/**
 * Sends what the service lacks, a few files at a time. Once one transfer has not gone well none is begun any
 * more: first the service is asked again.
 * @throws LeaseLost; ArtworkError where nothing can be sent any more
 */
export async function transferFiles(
  session: SubmissionSession,
  tracker: TransferTracker,
  transferProgress: TransferProgress,
): Promise<TransferRound> {
  const { files, checkpoints } = session;
  const lacking = tracker.lacking();
  const marks = keepMarks(session, tracker);
  const copies = readAhead(session, lacking);
  let arrived = 0;
  let waitMs = 0;
  let trouble = false;
  const sendOne = async (item: number): Promise<void> => {
    const file = files[item];
    if (trouble || file === undefined) return;
    requireNotStopped(session);
    await marks.pass(item);
    tracker.begun(item);
    const kept = await copies.take(item, file);
    const transfer = await transferFile(session, item, file, kept, transferProgress);
    switch (transfer.state) {
      case 'arrived':
        tracker.became(item, 'arrived');
        arrived += 1;
        return;
      case 'refused': {
        const { error } = transfer;
        tracker.became(item, 'refused', error);
        const { code, message } = error;
        await checkpoints.write({
          refused: [...checkpoints.current.refused, { item, code, message: message.slice(0, 300) }],
        });
        return;
      }
      case 'absent':
        waitMs = Math.max(waitMs, transfer.waitMs);
        break;
      case 'doubtful':
        break;
    }
    tracker.became(item, transfer.state, transfer.error);
    trouble = true;
  };
  try {
    await mapLimit(lacking, transfersAtOnce, sendOne);
  } finally {
    await copies.close();
  }
  return { arrived, waitMs };
}

interface Copies {
  /** Opens the private copy of the next file, in the order of the items; the caller closes it. */
  take(item: number, file: FileItem): Promise<BlobSource>;
  /** Closes what was opened and is not sent. */
  close(): Promise<void>;
}

/** No larger file is read ahead: the memory is for those that are being sent. Bytes. */
const mostAhead = 8 * 1024 * 1024;

/**
 * Opens private copies, always one more than was asked for: while the service works on some files the next one is read
 * and hashed, so that it can leave as soon as its turn comes.
 */
function readAhead({ ports, files, checkpoints, stop }: SubmissionSession, items: readonly number[]): Copies {
  let taken = 0;
  let ahead: { readonly item: number; readonly copy: Promise<BlobSource> } | null = null;
  const open = (file: FileItem) => ports.blobs.open(checkpoints.current.keeper, file.file, stop);
  const openNext = () => {
    const item = items[taken];
    const file = item === undefined ? undefined : files[item];
    if (item === undefined || file === undefined || file.file.contentLength > mostAhead) return null;
    const copy = open(file);
    // The transfer of this file tells why, if it ever begins.
    copy.catch(() => undefined);
    return { item, copy };
  };
  return {
    async take(item, file) {
      taken += 1;
      let copy: Promise<BlobSource>;
      if (ahead?.item === item) {
        ({ copy } = ahead);
        ahead = null;
      } else copy = open(file);
      const opened = await copy;
      ahead ??= openNext();
      return opened;
    },
    async close() {
      const unsent = await ahead?.copy.catch(() => undefined);
      await unsent?.close();
    },
  };
}

interface Marks {
  /** Resolves once it is in the ledger that this file may have been sent. */
  pass(item: number): Promise<void>;
}

/**
 * A process that resumes the submission later must know which files were never sent. Writing that before each of them
 * would write the whole entry as often; a mark that is moved on by several at a time is enough.
 */
function keepMarks({ files, checkpoints }: SubmissionSession, tracker: TransferTracker): Marks {
  const several = Math.max(transfersAtOnce, Math.ceil(files.length / 10));
  let moving: Promise<void> = Promise.resolve();
  const move = async (item: number): Promise<void> => {
    if (item < checkpoints.current.mark) return;
    const mark = Math.min(files.length, item + several);
    await checkpoints.write({ mark, open: tracker.open(mark) });
  };
  return {
    pass(item) {
      // In turn: a transfer that begins while the mark is moved must not be sent before the mark is written.
      moving = moving.then(() => move(item));
      return moving;
    },
  };
}

/** What became of one transfer. Whatever ends the whole run is thrown. */
type Transfer =
  | { readonly state: 'arrived' }
  /** It certainly did not arrive, and may be sent again. */
  | { readonly state: 'absent'; readonly error: ArtworkError; readonly waitMs: number }
  | { readonly state: 'doubtful'; readonly error: ArtworkError }
  | { readonly state: 'refused'; readonly error: ArtworkError };

/** For an answer that the service takes its time with, ms. */
const answerMs = 60_000;
/** The slowest line that a transfer is still given up on only by the service, bytes per ms. */
const slowest = 16;

/**
 * Sends one file of a submission. Interface document, Media Set creation, step 2, and Grouped Set edit: sends one
 * item's file from the kept bytes, once, and closes them.
 * @throws LeaseLost; ArtworkError where the kept bytes are gone, or there is no access any more
 */
async function transferFile(
  session: SubmissionSession,
  item: number,
  file: FileItem,
  kept: BlobSource,
  transferProgress: TransferProgress,
): Promise<Transfer> {
  const { ports, delivery, declared, tokens } = session;
  try {
    const bearer = await tokens.current();
    const { sha256: _, ...announced } = file.file;
    const request = uploadItem(declared.kind, submissionIdOf(session), file.itemId, announced);
    const body = transferProgress.counted(item, kept.body(delivery.signals.closing));
    // This process may still be stopped between this answer and the headers: another one that takes the
    // submission over then looks at the items before it sends, and looks twice.
    if (!(await delivery.ledger.isHolder(delivery.lease))) throw await leaseLostError(session);
    const outcome = await ports.send(fileRequest(request, body, bearer.token.reveal()), {
      signal: delivery.signals.closing,
      deadlineMs: answerMs + body.length / slowest,
    });
    switch (outcome.outcome) {
      case 'applied':
        return { state: 'arrived' };
      case 'not_sent':
        if (isAboutBytes(outcome.error)) throw outcome.error;
        return { state: 'absent', error: outcome.error, waitMs: 0 };
      case 'unknown':
        if (isAboutBytes(outcome.error)) throw outcome.error;
        return { state: 'doubtful', error: outcome.error };
      case 'refused': {
        const error = refusalOfSubmissionRequest(session, outcome, bearer);
        if (outcome.status === 401) await tokens.renew(bearer);
        else if (outcome.status !== 429) return judgeRefusal(error);
        return { state: 'absent', error, waitMs: transferWaitOf(error) };
      }
    }
  } finally {
    await kept.close();
  }
}

/** Neither what the connection may do, nor where the service is, nor the whole submission is a file's own matter. */
function judgeRefusal(error: ArtworkError): Transfer {
  const { status = 0 } = error;
  if (status < 400 || status === 403 || status === 404) throw error;
  return { state: 'refused', error };
}

/** How long a refused transfer is to wait before it is tried again, in milliseconds. */
export function transferWaitOf({ details }: ArtworkError): number {
  const seconds = details?.retryAfterSeconds;
  return typeof seconds === 'number' ? timerMs(seconds * 1000) : 0;
}

/** The copy changed or broke under our hands: its last chunk was withheld. */
function isAboutBytes({ category }: ArtworkError): boolean {
  return category === 'upload_refused';
}

/** The error of a transfer whose submission another process has acquired. */
export async function leaseLostError({ delivery, ports }: SubmissionSession): Promise<Error> {
  const { clientMutationId } = delivery.outgoing.mutation;
  const view = await delivery.ledger.read(delivery.scope, clientMutationId);
  if (view !== null) return new LeaseLost(view);
  ports.log.error('An entry of the ledger vanished while it was worked on.');
  return new ArtworkError('internal', 'An entry of the ledger vanished while it was worked on.');
}
