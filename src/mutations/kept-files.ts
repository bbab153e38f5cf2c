import { hostname } from 'node:os';
import { ArtworkError } from '../errors.ts';
import { createCopies, type DeclaredContent, missingCopies } from '../files/copies.ts';
import { asSha256 } from '../files/content.ts';
import { openPath } from '../files/open-file.ts';
import { changedFile } from '../files/refusal.ts';
import { type EntryView, mayClaimAgain } from '../ledger/ledger.ts';
import { nextIn } from './answer/table.ts';
import type { BlobFile, BlobFiles, MutationPorts } from './ports.ts';
import { MutationError } from './result.ts';
import { type Checkpoint, type DeclaredFile, type FileItem, readCheckpoint } from './submission.ts';

/**
 * Private copies below the data directory.
 * @param storeId names the store that knows what they are needed for
 * @param machine what people call this machine
 */
export function createBlobFiles(
  home: string,
  storeId: () => Promise<string>,
  machine: string = hostname(),
): BlobFiles {
  const copies = createCopies(home, storeId);
  return {
    machine,
    newOwner: copies.newKeeper,
    requireRoom: copies.requireRoom,
    async keep(owner, { sha256 }, path, signal) {
      const file = await openPath(path);
      try {
        const kept = await copies.keep(owner, file, { signal });
        if (kept.sha256 !== sha256) throw changedFile('its bytes are others than a moment ago');
      } finally {
        await file.close();
      }
    },
    sync: copies.sync,
    async missing(owner, files) {
      const gone = await copies.missing(owner, files.map(asDeclared));
      const digests = new Set<string>(gone.map(({ sha256 }) => sha256));
      return files.filter(({ sha256 }) => digests.has(sha256));
    },
    open: (owner, file) => copies.open(owner, asDeclared(file)),
    release: copies.free,
    sweep: copies.sweep,
  };
}

function asDeclared(file: BlobFile & { readonly filename?: string }): DeclaredContent {
  const { sha256, contentLength, filename = '' } = file;
  return { sha256: asSha256(sha256), contentLength, filename };
}

/**
 * Refuses to go on with a submission whose kept bytes are not on this machine.
 * @throws ArtworkError `upload_refused` (`kept_bytes_missing`) that names the machine which should have them
 */
export async function requireBlob(
  kept: BlobFiles,
  { keeper: owner, machine }: Checkpoint,
  files: readonly DeclaredFile[],
): Promise<void> {
  const missing = await kept.missing(owner, files);
  if (missing.length === 0) return;
  throw missingCopies(missing.map(asDeclared), machine === kept.machine ? null : machine);
}

/**
 * Refuses a submission of which a kept file is missing. Before anything is declared to the service: all that it is
 * to get has to be here. Null: nothing was noted. Where another machine may have the files, that is said later,
 * with its name.
 * @throws MutationError `upload_refused`
 */
export async function requireAllBlobs(
  kept: BlobFiles,
  clientMutationId: string,
  files: readonly FileItem[],
  checkpoint: Checkpoint | null,
): Promise<void> {
  if (checkpoint === null) throw nothingKept(clientMutationId);
  const { machine, keeper: owner } = checkpoint;
  if (machine !== kept.machine) return;
  const missing = await kept.missing(
    owner,
    files.map(({ file }) => file),
  );
  if (missing.length > 0) throw nothingKept(clientMutationId);
}

/** The process ended between claiming and writing its first checkpoint, or the submission was not resumed for long. */
function nothingKept(clientMutationId: string): MutationError {
  const message =
    'Nothing of this submission was sent, and its files are not kept here: the call that made it was interrupted before, or is long ago.';
  return new MutationError('upload_refused', message, {
    clientMutationId,
    outcome: 'not_sent',
    next: nextIn({ is: 'files not kept' }),
  });
}

/** When they were last swept, ms. */
const swept = new WeakMap<MutationPorts['blobs'], number>();
const day = 24 * 60 * 60_000;

/**
 * For what was never sent, so long after it was last tried: it is not listed as open, and the same call keeps its
 * files again. ms
 */
const mostUnsentMs = 7 * day;

/**
 * Frees, once a day, the blobs that no entry of the ledger needs, of any account: what a
 * process left behind that died between keeping and claiming, and what was never resumed.
 */
export async function sweepBlobsDaily({ ledger, blobs: kept, clock, log }: MutationPorts): Promise<void> {
  if (clock.now() - (swept.get(kept) ?? Number.NEGATIVE_INFINITY) < day) return;
  swept.set(kept, clock.now());
  try {
    const opened = await ledger();
    const since = new Date(clock.now() - mostUnsentMs).toISOString();
    await releaseOrWarn(
      kept.sweep((name) => opened.mayKeep(name, since)),
      log,
    );
  } catch (error) {
    // What the ledger can't tell of may be needed.
    if (!(error instanceof ArtworkError)) throw error;
    log.warn(`Kept bytes that are not needed any more were not looked for: ${error.message}`);
  }
}

/**
 * Frees the kept bytes of a submission that has ended or was given up. What may be sent again under its
 * identity keeps them.
 */
export async function releaseBlobsOfEnded(
  { blobs: kept, log }: Pick<MutationPorts, 'blobs' | 'log'>,
  { entry }: EntryView,
): Promise<void> {
  const checkpoint = readCheckpoint(entry.progress);
  const ended = entry.abandonedAt !== null || (entry.state === 'settled' && !mayClaimAgain(entry));
  if (checkpoint === null || !ended) return;
  await releaseOrWarn(kept.release(checkpoint.keeper), log);
}

/**
 * Frees kept bytes, and logs where that fails. What could not be freed is freed by a later sweep; the outcome
 * stands.
 */
export async function releaseOrWarn(work: Promise<void>, log: MutationPorts['log']): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof ArtworkError)) throw error;
    log.warn(`Kept bytes could not be freed: ${error.message}`);
  }
}
