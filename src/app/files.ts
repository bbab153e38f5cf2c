import { stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { uploadFilename } from '../catalogue/request.ts';
import { ArtworkError, codeOf } from '../errors.ts';
import { asSha256 } from '../files/content.ts';
import { createCopies, type DeclaredContent } from '../files/copies.ts';
import { openPath } from '../files/open-file.ts';
import { changedFile, isRefused } from '../files/refusal.ts';
import { locate } from '../files/roots.ts';
import { mapLimit } from '../map-limit.ts';
import { shapeOfSlot } from '../model/slots.ts';
import { requireNotCancelled } from '../mutations/caller.ts';
import type { Bytes, Copies, UploadFiles } from '../mutations/ports.ts';

/** Files whose names and lengths are looked at at once. */
const looksAtOnce = 10;

/**
 * The files that changes may send: below the folders of the settings, and those that the host offers with a call. What
 * decodes pictures is loaded at the first file.
 */
export function createUploadFiles(configured: readonly string[]): UploadFiles {
  return {
    async open(file, { slot, roots, maxBytes, known, frame, signal, progress }) {
      const { openUpload, warningsOf } = await import('../files/check.ts');
      const upload = await openUpload(file, {
        roots: { configured, host: roots },
        onProgress: (done, length) => progress(done, length, 'hashing'),
        ...{ known, frame, signal },
      });
      const warnings =
        upload.sha256 === known ? [] : warningsOf(upload, { slot, usual: shapeOfSlot(slot), maxBytes });
      return { ...upload, filename: uploadFilename.parse(upload.filename), warnings };
    },
    async find(given, { roots, signal }) {
      const { mostPictureBytes } = await import('../files/check.ts');
      return mapLimit(given, looksAtOnce, async (file) => {
        requireNotCancelled({ signal });
        try {
          const { path } = await locate(file, { configured, host: roots });
          const { size } = await stat(path);
          return size > mostPictureBytes ? null : { path, contentLength: size };
        } catch (error) {
          if (isRefused(error, 'no_roots')) throw error;
          if (error instanceof ArtworkError || codeOf(error) !== null) return null;
          throw error;
        }
      });
    },
  };
}

/**
 * Private copies below the data folder.
 * @param storeId the id of the store whose changes need them
 * @param machine what people call this machine
 */
export function createKeptCopies(
  home: string,
  storeId: () => Promise<string>,
  machine: string = hostname(),
): Copies {
  const copies = createCopies(home, storeId);
  const declared = (file: Bytes & { readonly filename?: string }): DeclaredContent => {
    const { sha256, contentLength, filename = '' } = file;
    return { sha256: asSha256(sha256), contentLength, filename };
  };
  return {
    machine,
    newOwner: copies.newKeeper,
    requireRoom: copies.requireRoom,
    async keep(owner, { sha256 }, path, signal) {
      const file = await openPath(path);
      try {
        const kept = await copies.keep(owner, file, { signal });
        if (kept.sha256 !== sha256) throw changedFile('it has changed during this call');
      } finally {
        await file.close();
      }
    },
    sync: copies.sync,
    async missing(owner, files) {
      const gone = await copies.missing(owner, files.map(declared));
      const digests = new Set<string>(gone.map(({ sha256 }) => sha256));
      return files.filter(({ sha256 }) => digests.has(sha256));
    },
    open: (owner, file) => copies.open(owner, declared(file)),
    release: copies.free,
    sweep: copies.sweep,
  };
}
