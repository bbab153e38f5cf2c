import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { isSha256, type Sha256 } from '../../files/digest.ts';
import { createBlobStore } from '../../blobs/blob-store.ts';
import { openUploadFile } from '../../files/open-file.ts';
import { fileChangedError } from '../../files/refusal.ts';
import { hashFile } from '../../files/upload-bytes.ts';
import type { BlobFile, BlobFiles } from '../ports.ts';

/** Private copies below the data directory, of files from the folders that are open for uploads. */
export function createBlobFiles(home: string, configured: readonly string[]): BlobFiles {
  const kept = createBlobStore(home);
  return {
    machine: hostname(),
    newOwner: randomUUID,
    requireRoom: (bytes) => kept.requireRoom(bytes),
    async keep(owner, file, path, { roots, signal, progress }) {
      const opened = await openUploadFile(path, { configured, host: roots });
      const bytes = await hashFile(opened, {
        signal,
        onProgress: (done, length) => progress(done, length, 'keeping'),
      });
      try {
        if (bytes.sha256 !== file.sha256) throw fileChangedError('its bytes are others than a moment ago');
        await kept.keep(owner, bytes, { signal });
      } finally {
        await bytes.close();
      }
    },
    async missing(owner, files) {
      const gone = await kept.missing(owner, files.map(asKept));
      const digests = new Set<string>(gone.map(({ sha256 }) => sha256));
      return files.filter(({ sha256 }) => digests.has(sha256));
    },
    async open(owner, file, signal) {
      const bytes = await kept.open(owner, asKept(file), { signal });
      return { body: (stop) => bytes.body({ signal: stop }), close: (arrived) => bytes.close(arrived) };
    },
    release: (owner) => kept.release(owner),
    sweep: (isNeeded) => kept.sweep(isNeeded),
  };
}

function asKept({ sha256, contentLength }: BlobFile): { sha256: Sha256; length: number } {
  if (!isSha256(sha256)) throw new TypeError('This is not a SHA-256 digest.');
  return { sha256, length: contentLength };
}
