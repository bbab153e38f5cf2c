import { stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { uploadFilename } from '../catalogue/request.ts';
import { ArtworkError, codeOf } from '../errors.ts';
import type { DeclaredContent } from '../files/copies.ts';
import { mapLimit } from '../map-limit.ts';
import { shapeOfSlot } from '../model/slots.ts';
import { requireNotCancelled } from '../mutations/caller.ts';
import type { Bytes, Copies, UploadFiles } from '../mutations/ports.ts';

/** Looks at names and lengths at once. */
const looksAtOnce = 10;

/**
 * Files of this machine, from the folders that are open for uploads: those of the settings, and those that the host offers
 * with a call.
 */
export function createUploadFiles(configured: readonly string[]): UploadFiles {
  return {
    async open(file, { slot, roots, maxBytes, known, frame, signal, progress }) {
      // Loads what decodes pictures, which most calls never need.
      const { openUpload, warningsOf } = await import('../files/check.ts');
      const upload = await openUpload(file, {
        roots: { configured, host: roots },
        ...{ known, frame, signal },
        onProgress: (done, length) => progress(done, length, 'hashing'),
      });
      const isKnown = upload.sha256 === known;
      return {
        ...upload,
        filename: uploadFilename.parse(upload.filename),
        warnings: isKnown ? [] : warningsOf(upload, { slot, usual: shapeOfSlot(slot), maxBytes }),
      };
    },
    async find(given, { roots, signal }) {
      const [{ locate }, { mostPictureBytes }, { isRefused }] = await Promise.all([
        import('../files/roots.ts'),
        import('../files/check.ts'),
        import('../files/refusal.ts'),
      ]);
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
 * @param storeId names the store that knows what they are needed for
 * @param machine what people call this machine
 */
export async function createKeptCopies(
  home: string,
  storeId: () => Promise<string>,
  machine: string = hostname(),
): Promise<Copies> {
  const [{ createCopies }, { asSha256 }, { openPath }, { changedFile }] = await Promise.all([
    import('../files/copies.ts'),
    import('../files/content.ts'),
    import('../files/open-file.ts'),
    import('../files/refusal.ts'),
  ]);
  const copies = createCopies(home, storeId);
  const asDeclared = (file: Bytes & { readonly filename?: string }): DeclaredContent => {
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
