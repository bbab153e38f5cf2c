import { missingBlobsError } from '../../blobs/blob.ts';
import { ArtworkError } from '../../errors.ts';
import type { WantedBytes } from '../../files/find-bytes.ts';
import { isSha256 } from '../../files/upload-bytes.ts';
import type { Session } from '../account.ts';
import type { Warning } from '../finding.ts';
import type { SubmissionOfFiles } from '../mutation.ts';
import type { SharedNote } from '../operations/operation.ts';
import { type Checkpoint, fileItems } from '../submission.ts';
import type { FileSource } from './upload-files.ts';

/**
 * Keeps here too what a submission still needs of the bytes that another machine has kept: the same ones, where they lie
 * below the folders that are open here. Harmless when repeated; where the store is this machine's alone it does nothing.
 * @returns what is to be told of it
 * @throws ArtworkError `upload_refused` (`kept_bytes_missing`) that names the machine which has them, where one that was
 *   never sent is not found
 */
export async function keepFoundBytes(
  { ports, deadline, progress }: Session,
  { files: { elsewhere }, roots }: FileSource,
  { declared }: SubmissionOfFiles,
  checkpoint: Checkpoint | null,
): Promise<readonly Warning[]> {
  const { blobs } = ports;
  if (elsewhere === undefined || checkpoint === null) return [];
  const { machine, keeper, mark, open } = checkpoint;
  if (machine === blobs.machine) return [];
  const needed = fileItems(declared).flatMap(({ file }, item) =>
    item >= mark || open.includes(item) ? [{ file, isFresh: item >= mark }] : [],
  );
  const lacking = await blobs.missing(
    keeper,
    needed.map(({ file }) => file),
  );
  if (lacking.length === 0) return [];
  const { signal } = deadline;
  const wanted = lacking.map((file) => ({ ...file, name: file.filename }));
  const paths = await elsewhere.find(wanted, { roots, signal });
  const found = lacking.filter(({ sha256 }) => paths.has(sha256));
  await blobs.requireRoom(found.reduce((sum, { contentLength }) => sum + contentLength, 0));
  for (const [sha256, path] of paths) {
    const file = found.find((one) => one.sha256 === sha256);
    if (file !== undefined) await blobs.keep(keeper, file, path, signal);
  }
  if (found.length > 0) await blobs.sync(keeper);
  const told = foundWarning(found.length, lacking.length, machine);
  progress(0, null, told.message);
  const gone = lacking.filter(
    (file) => !paths.has(file.sha256) && needed.some((one) => one.isFresh && one.file === file),
  );
  if (gone.length > 0) throw notFound(gone, machine, told.message);
  return [told];
}

/**
 * Where the bytes of an upload lie on this machine, which another one began.
 * @throws ArtworkError `upload_refused` (`kept_bytes_missing`) that names that machine
 */
export async function findUploadBytes(
  { files: { elsewhere }, roots }: FileSource,
  file: Omit<WantedBytes, 'contentLength'>,
  begun: SharedNote | null,
  signal: AbortSignal,
): Promise<{ readonly path: string; readonly warnings: readonly Warning[] } | null> {
  if (elsewhere === undefined || begun === null || begun.machine === elsewhere.machine) return null;
  const { machine, contentLength } = begun;
  const wanted = { ...file, contentLength };
  const path = (await elsewhere.find([wanted], { roots, signal })).get(wanted.sha256);
  const told = foundWarning(path === undefined ? 0 : 1, 1, machine);
  if (path === undefined) throw notFound([{ ...wanted, filename: wanted.name }], machine, told.message);
  return { path, warnings: [told] };
}

function foundWarning(found: number, of: number, machine: string): Warning {
  return {
    code: 'bytes_found_here',
    message: `It was begun on the machine ${machine}: of ${of} ${of === 1 ? 'file' : 'files'} that it still needs ${found} lie below the upload folders of this machine, by their digests.`,
  };
}

function notFound(
  gone: readonly { readonly sha256: string; readonly contentLength: number; readonly filename: string }[],
  machine: string,
  told: string,
): ArtworkError {
  const missing = gone.flatMap(({ sha256, contentLength: length, filename }) =>
    isSha256(sha256) ? [{ sha256, length, filename }] : [],
  );
  const error = missingBlobsError(missing, machine);
  return new ArtworkError(error.category, `${told} ${error.message}`, { ...error });
}
