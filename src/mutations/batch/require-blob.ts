import { isSha256 } from '../../files/digest.ts';
import { keptBytesMissing } from '../../blobs/missing.ts';
import type { BlobFiles } from '../ports.ts';
import type { DeclaredFile } from '../declared.ts';
import type { Checkpoint } from '../checkpoint.ts';

/** @throws ArtworkError `upload_refused` (`kept_bytes_missing`) that names the machine which should have them */
export async function requireBlob(
  kept: BlobFiles,
  { keeper: owner, machine }: Checkpoint,
  files: readonly DeclaredFile[],
): Promise<void> {
  const missing = await kept.missing(owner, files);
  if (missing.length === 0) return;
  throw keptBytesMissing(
    missing.flatMap(({ filename, sha256, contentLength }) =>
      isSha256(sha256) ? [{ filename, sha256, length: contentLength }] : [],
    ),
    machine === kept.machine ? null : machine,
  );
}
