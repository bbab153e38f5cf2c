import { submissionId as parseId } from '../../catalogue/request.ts';
import { completeSubmission, type Submission, uploadItem } from '../../catalogue/submission.ts';
import { deadlineIn } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import { compareRevisionsBeforeRepeat } from '../before/revisions.ts';
import { requireAllBlobs, requireBlob } from '../kept-files.ts';
import { withSetRevision } from '../operations/lookups.ts';
import type { BlobSource, MutationPorts } from '../ports.ts';
import {
  type Checkpoint,
  type Declared,
  type DeclaredFile,
  type FileItem,
  fileItems,
  readCheckpoint,
} from '../submission.ts';
import type { Effects } from './execute.ts';
import { explainConflict } from './explain.ts';
import { nameFiles, nameOccupants } from './name-items.ts';
import type { Run } from './run.ts';
import type { SubmissionSeen } from './submission-way.ts';
import { startTransferProgress } from './transfer-progress.ts';

/** For one look, its repetitions included, ms. */
const lookMs = 45_000;

/** What a submission touches of the world: its record at the service, and the private copies of its files. */
export function submissionEffects(
  run: Run,
  declared: Declared,
): Effects<Checkpoint, SubmissionSeen, Submission> {
  const { account, prepared, signals } = run;
  const { ports } = account;
  const { mutation } = prepared;
  const { kind } = declared;
  const files = fileItems(declared);
  const soon = () => deadlineIn(lookMs, signals.closing);
  const progress = startTransferProgress(files, run.progress);
  const copies = openCopies(ports.blobs, signals.closing);

  return {
    read(kept) {
      const checkpoint = readCheckpoint(kept);
      if (checkpoint === null) throw new TypeError('This is no submission.');
      return checkpoint.stopped === null ? checkpoint : { ...checkpoint, stopped: null };
    },
    async look({ submissionId }) {
      if (submissionId === null) throw new TypeError('It was not admitted.');
      const submission = await ports.owned.findSubmission(kind, submissionId, soon());
      if (submission !== null) return submission;
      throw new ArtworkError('not_found', 'The service does not know the submission now.');
    },
    async compare({ requests, repeated }, checkpoint) {
      try {
        const items = requests.flatMap((request) => (request.is === 'transfer' ? [request.item] : []));
        if (items.length > 0) {
          await requireBlob(
            ports.blobs,
            checkpoint,
            items.map((item) => fileAt(files, item).file),
          );
          copies.expect(items.map((item) => fileAt(files, item).file));
        }
        if (requests[0].is !== 'admission') return null;
        // Another process may have freed the copies before the claim; under the lease none does.
        if (!repeated && !run.view.entry.doubt)
          await requireAllBlobs(ports.blobs, mutation.clientMutationId, files, checkpoint);
        if (!repeated) return null;
        const { scopes } = await ports.connections.account();
        return await compareRevisionsBeforeRepeat(mutation, ports.owned, scopes, soon());
      } catch (error) {
        if (error instanceof ArtworkError) return error;
        throw error;
      }
    },
    async write(request, checkpoint, signal) {
      const nothing = async () => {};
      switch (request.is) {
        case 'admission': {
          if (mutation.by !== 'submission') throw new TypeError('This is no submission.');
          const body = Buffer.from(checkpoint.admission);
          return { request: mutation.request(), body, mayTakeBack: false, close: nothing };
        }
        case 'transfer': {
          const { itemId, file } = fileAt(files, request.item);
          const { sha256: _, ...announced } = file;
          const copy = await copies.take(checkpoint.keeper, file);
          return {
            request: uploadItem(kind, idOf(checkpoint), itemId, announced),
            body: progress.counted(request.item, copy.body(signal)),
            mayTakeBack: false,
            close: () => copy.close(),
          };
        }
        case 'completion': {
          const completion = completeSubmission(kind, idOf(checkpoint));
          return { request: completion, body: Buffer.from('{}'), mayTakeBack: false, close: nothing };
        }
        case 'whole':
          throw new TypeError('A submission is not one request.');
      }
    },
    async complete(ending) {
      if (ending.step !== 'end') return { ending, observed: {} };
      if (ending.as !== 'found') {
        const named = nameFiles(ending.error, declared, prepared.names);
        const error = ending.explain === true ? await explainConflict(run, named) : named;
        return { ending: { ...ending, error }, observed: {} };
      }
      const { shown } = ending;
      if (shown === undefined) return { ending, observed: {} };
      const whole = await withSetRevision(ending.finding, shown, ports.owned, soon());
      if (whole.found !== 'ended') return { ending, observed: {} };
      const { ended, next } = await nameOccupants(run, declared, whole);
      return { ending: { ...ending, finding: ended }, observed: next === null ? {} : { next } };
    },
    confirm: async () => ({}),
    tell: ({ transfers }) => {
      for (const [item, { state }] of transfers.entries()) if (state === 'arrived') progress.arrived(item);
    },
    close: () => copies.close(),
  };
}

function idOf({ submissionId }: Checkpoint) {
  return parseId.parse(submissionId);
}

function fileAt(files: readonly FileItem[], item: number): FileItem {
  const file = files[item];
  if (file === undefined) throw new RangeError(`There is no file ${item}.`);
  return file;
}

interface Copies {
  /** Which files are asked for next, in this order. */
  expect(files: readonly DeclaredFile[]): void;
  /** Opens the private copy of a file; the caller closes it. */
  take(keeper: string, file: DeclaredFile): Promise<BlobSource>;
  /** Closes what was opened and is not sent. */
  close(): Promise<void>;
}

/** No larger file is read ahead: the memory is for those that are being sent. Bytes. */
const mostAhead = 8 * 1024 * 1024;

/**
 * Opens private copies, always one more than was asked for: while the service works on some files the next one is read
 * and hashed, so that it can leave as soon as its turn comes.
 */
function openCopies(blobs: MutationPorts['blobs'], signal: AbortSignal): Copies {
  let expected: readonly DeclaredFile[] = [];
  let ahead: { readonly file: DeclaredFile; readonly copy: Promise<BlobSource> } | null = null;
  const closeAhead = async (): Promise<void> => {
    const unsent = await ahead?.copy.catch(() => undefined);
    ahead = null;
    await unsent?.close();
  };
  return {
    expect(files) {
      expected = files;
    },
    async take(keeper, file) {
      let copy: Promise<BlobSource>;
      if (ahead?.file === file) {
        ({ copy } = ahead);
        ahead = null;
      } else copy = blobs.open(keeper, file, signal);
      const opened = await copy;
      const next = expected[expected.indexOf(file) + 1];
      if (ahead === null && next !== undefined && next.contentLength <= mostAhead) {
        ahead = { file: next, copy: blobs.open(keeper, next, signal) };
        // The transfer of this file tells why, if it ever begins.
        ahead.copy.catch(() => undefined);
      }
      return opened;
    },
    close: closeAhead,
  };
}
