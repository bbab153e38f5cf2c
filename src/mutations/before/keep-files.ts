import { jsonBytes } from '../../catalogue/request.ts';
import { ArtworkError, type Next } from '../../errors.ts';
import { isRefused } from '../../files/refusal.ts';
import { type EntryView, isUnsent } from '../../ledger/ledger.ts';
import { mapLimit } from '../../map-limit.ts';
import { asNotSentError } from './perform.ts';
import { type FileSource, refuseUploadFile, withoutFile } from './upload-files.ts';
import type { Prepared, SubmissionOfFiles } from '../mutation.ts';
import type { GivenFile, InspectedFile, PlannedFiles, SubmissionPlan } from '../operations/operation.ts';
import type { BlobFiles, MutationPorts } from '../ports.ts';
import { type Caller, requireNotCancelled } from '../caller.ts';
import { type Checkpoint, fileItems, firstCheckpoint, readCheckpoint } from '../submission.ts';
import { requireBlob } from '../kept-files.ts';
import { isAboutFile, notAsPlannedError, type Refused, refuseFiles } from './inspect-files.ts';

/** Copies at a time: while some wait for the disk others are read. */
const copiesAtOnce = 10;

/** Where the files of a call lie, and under which name they are kept. */
interface FilesToKeep {
  readonly files: readonly InspectedFile[];
  readonly keeper: string;
  /** What was planned and not read again, so that its bytes are compared here; null: all were read a moment ago. */
  readonly planned: { readonly named: readonly GivenFile[]; readonly again: Next } | null;
}

/** A submission whose files are kept just before it is claimed. */
export function newSubmission(kept: BlobFiles, mutation: SubmissionOfFiles, toKeep: FilesToKeep): Prepared {
  return {
    ...withoutFile(mutation),
    async keep(caller) {
      await keepAll(kept, toKeep, caller);
      const { keeper } = toKeep;
      return firstCheckpoint({
        machine: kept.machine,
        keeper,
        admission: jsonBytes(mutation.request()).toString(),
      });
    },
  };
}

/** A submission that nothing was sent of, with what was kept for it. */
export function storedSubmission(
  kept: BlobFiles,
  mutation: SubmissionOfFiles,
  checkpoint: Checkpoint,
): Prepared {
  return {
    ...withoutFile(mutation),
    async keep() {
      const files = fileItems(mutation.declared).map(({ file }) => file);
      await requireBlob(kept, checkpoint, files);
      const { machine, keeper, admission } = checkpoint;
      return firstCheckpoint({ machine, keeper, admission });
    },
  };
}

/**
 * Sees that there is room for the copies before their files are read, which can take hours: what `keepAll` asks once
 * all digests are known. Files of one length may have the same bytes, which are kept once.
 * @throws MutationError `internal` (`store_full`)
 */
export async function requireRoomForFiles(
  kept: BlobFiles,
  { files, roots }: FileSource,
  { plan, clientMutationId }: { readonly plan: SubmissionPlan; readonly clientMutationId: string },
  { deadline: { signal } }: Caller,
): Promise<void> {
  const paths = plan.files.map(({ file }) => file);
  const found = await files.find(paths, { roots, signal });
  const lengths = new Set(found.map((file) => file?.contentLength ?? 0));
  const total = [...lengths].reduce((sum, length) => sum + length, 0);
  if (total === 0) return;
  await kept.requireRoom(total).catch((error: unknown) => {
    throw error instanceof ArtworkError ? asNotSentError(error, clientMutationId) : error;
  });
}

async function keepAll(
  kept: BlobFiles,
  { files, keeper: owner, planned }: FilesToKeep,
  { deadline, progress }: Caller,
): Promise<void> {
  if (files.length === 0) return;
  const distinct = [...new Map(files.map((file) => [file.sha256, file])).values()];
  const total = distinct.reduce((sum, { contentLength }) => sum + contentLength, 0);
  await kept.requireRoom(total);
  // Of two files with the same bytes each has to be as it was planned.
  const read = planned === null ? distinct : files;
  // Not each of many is news.
  const several = Math.ceil(read.length / 100);
  let bytes = 0;
  let count = 0;
  const refused: Refused[] = [];
  await mapLimit([...read.entries()], copiesAtOnce, async ([at, file]) => {
    requireNotCancelled(deadline);
    try {
      await kept.keep(owner, file, file.path, deadline.signal);
    } catch (error) {
      const one = planned?.named[at];
      if (one === undefined || !(error instanceof ArtworkError) || !isAboutFile(error)) throw error;
      refused.push({ one, refused: isRefused(error, 'source_changed') ? notAsPlannedError() : error });
      return;
    }
    bytes += file.contentLength;
    count += 1;
    if (count % several === 0 || count === read.length)
      progress(total + bytes, null, `kept ${count} of ${read.length} files`);
  });
  if (planned === null || refused.length === 0) return kept.sync(owner);
  refused.sort((a, b) => planned.named.indexOf(a.one) - planned.named.indexOf(b.one));
  throw leadingTo(refuseFiles(refused, planned.named.length), planned.again);
}

/**
 * What was planned, where its files are not what they were: the plan itself tells what is meant. It only serves an
 * id that was claimed before, whose bytes were sent or kept; what was never claimed is refused.
 * @throws MutationError `upload_refused`
 */
export async function withoutPlannedFiles(
  ports: MutationPorts,
  named: SubmissionPlan,
  { files, again }: PlannedFiles,
  { clientMutationId, known }: { readonly clientMutationId: string; readonly known: EntryView | null },
  error: unknown,
): Promise<Prepared> {
  if (!(error instanceof ArtworkError) || error.category !== 'upload_refused') throw error;
  const checkpoint = known === null ? null : readCheckpoint(known.entry.progress);
  const seen = files.flatMap((file, at) =>
    file === null ? [] : [{ ...file, path: named.files[at]?.file ?? '' }],
  );
  if (known !== null && checkpoint !== null && seen.length === named.files.length) {
    const mutation = named.declare(seen);
    const stored = storedSubmission(ports.blobs, mutation, checkpoint);
    if (!isUnsent(known)) return stored;
    const declared = fileItems(mutation.declared).map(({ file }) => file);
    if ((await ports.blobs.missing(checkpoint.keeper, declared)).length === 0) return stored;
  }
  return refuseUploadFile(ports, clientMutationId, leadingTo(error, again));
}

/** Of a folder that is not open any more a new plan could not be made either: its error leads on by itself. */
function leadingTo(error: ArtworkError, again: Next): ArtworkError {
  return error.next === undefined ? error.leadingTo(again) : error;
}
