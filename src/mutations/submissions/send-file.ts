import { sendFile as fileRequest } from '../../catalogue/requests/request.ts';
import { uploadItem } from '../../catalogue/requests/upload-item.ts';
import { ArtworkError } from '../../errors.ts';
import { timerMs } from '../../sleep.ts';
import type { FileItem } from './declared.ts';
import { LeaseLost } from './notebook.ts';
import { idOf, refusalOfRequest, type SubmissionSession } from './run.ts';
import type { TransferProgress } from './tally.ts';

/** What became of one transfer. Whatever ends the whole run is thrown. */
export type Transfer =
  | { readonly fate: 'arrived' }
  /** It certainly did not arrive, and may be sent again. */
  | { readonly fate: 'absent'; readonly error: ArtworkError; readonly waitMs: number }
  | { readonly fate: 'doubtful'; readonly error: ArtworkError }
  | { readonly fate: 'refused'; readonly error: ArtworkError };

/** For an answer that the service takes its time with, ms. */
const answerMs = 60_000;
/** The slowest line that a transfer is still given up on only by the service, bytes per ms. */
const slowest = 16;

/**
 * Interface document, Media Set creation, step 2, and Grouped Set edit: sends one item's file from the kept
 * bytes, once.
 * @throws TakenOver; ArtworkError where the kept bytes are gone, or there is no access any more
 */
export async function transferFile(run: SubmissionSession, item: number, file: FileItem, tally: TransferProgress): Promise<Transfer> {
  const { ports, job, declared, notebook, tokens, stop } = run;
  const kept = await ports.kept.open(notebook.notes.keeper, file.file, stop);
  let arrived = false;
  try {
    const bearer = await tokens.current();
    const { sha256: _, ...announced } = file.file;
    const request = uploadItem(declared.kind, idOf(run), file.itemId, announced);
    const body = tally.counted(item, kept.body(job.wishes.closing));
    // This process may still be stopped between this answer and the headers: another one that takes the
    // submission over then looks at the items before it sends, and looks twice.
    if (!(await job.ledger.holds(job.held))) throw await leaseLost(run);
    const fate = await ports.send(fileRequest(request, body, bearer.token.reveal()), {
      signal: job.wishes.closing,
      deadlineMs: answerMs + body.length / slowest,
    });
    switch (fate.fate) {
      case 'applied':
        arrived = true;
        return { fate: 'arrived' };
      case 'not_sent':
        if (isAboutBytes(fate.error)) throw fate.error;
        return { fate: 'absent', error: fate.error, waitMs: 0 };
      case 'unknown':
        if (isAboutBytes(fate.error)) throw fate.error;
        return { fate: 'doubtful', error: fate.error };
      case 'refused': {
        const error = refusalOfRequest(run, fate, bearer);
        if (fate.status === 401) await tokens.renew(bearer);
        else if (fate.status !== 429) return judgeRefusal(error);
        return { fate: 'absent', error, waitMs: waitOf(error) };
      }
    }
  } finally {
    await kept.close(arrived);
  }
}

/** Neither what the connection may do, nor where the service is, nor the whole submission is a file's own matter. */
function judgeRefusal(error: ArtworkError): Transfer {
  const { status = 0 } = error;
  if (status < 400 || status === 403 || status === 404) throw error;
  return { fate: 'refused', error };
}

export function waitOf({ details }: ArtworkError): number {
  const seconds = details?.retryAfterSeconds;
  return typeof seconds === 'number' ? timerMs(seconds * 1000) : 0;
}

/** The copy changed or broke under our hands: its last chunk was withheld. */
function isAboutBytes({ category }: ArtworkError): boolean {
  return category === 'upload_refused';
}

export async function leaseLost({ job, ports }: SubmissionSession): Promise<Error> {
  const { clientMutationId } = job.outgoing.mutation;
  const view = await job.ledger.read(job.scope, clientMutationId);
  if (view !== null) return new LeaseLost(view);
  ports.log.error('An entry of the ledger vanished while it was worked on.');
  return new ArtworkError('internal', 'An entry of the ledger vanished while it was worked on.');
}
