import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { uploadFilename } from '../catalogue/request.ts';
import type { Bytes, Copies, UploadFiles } from '../mutations/ports.ts';
import { shapeOfSlot } from '../model/slots.ts';

/**
 * Files of this machine, from the folders that are open for uploads: those of the settings, and those that the host offers
 * with a call.
 */
export function createUploadFiles(configured: readonly string[]): UploadFiles {
  return {
    async open(file, { slot, roots, maxBytes, known, signal, progress }) {
      // Loads what decodes pictures, which most calls never need.
      const { prepareFile } = await import('../files/prepare.ts');
      const { facts, bytes } = await prepareFile(file, {
        roots: { configured, host: roots },
        slot,
        usual: shapeOfSlot(slot),
        maxBytes,
        known,
        signal,
        onProgress: (done, length) => progress(done, length, 'hashing'),
      });
      const { name, filename, filenameChanged, contentType, contentLength, sha256, warnings } = facts;
      const message = `"${name}" can't stand in a header as it is: it is announced as "${filename}".`;
      return {
        path: bytes.file.path,
        filename: uploadFilename.parse(filename),
        contentType,
        contentLength,
        sha256,
        warnings: filenameChanged ? [...warnings, { code: 'filename_changed', message }] : warnings,
        body: (stop) => bytes.body({ signal: stop }),
        close: () => bytes.close(),
      };
    },
    async find(given, { roots, signal }) {
      const [{ findFiles }, { mostPictureBytes }] = await Promise.all([
        import('../files/upload-roots.ts'),
        import('../files/refusal.ts'),
      ]);
      const found = await findFiles(given, { configured, host: roots }, signal);
      return found.map((file) =>
        file === null || file.length > mostPictureBytes
          ? null
          : { path: file.path, contentLength: file.length },
      );
    },
  };
}

/**
 * Private copies below the data folder.
 * @param machine what people call this machine
 */
export async function createCopies(home: string, machine: string = hostname()): Promise<Copies> {
  const [{ createBlobStore }, { openRegularFile }, { isSha256 }] = await Promise.all([
    import('../blobs/blob-store.ts'),
    import('../files/open-file.ts'),
    import('../files/upload-bytes.ts'),
  ]);
  const kept = createBlobStore(home);
  const asKept = ({ sha256, contentLength }: Bytes) => {
    if (!isSha256(sha256)) throw new TypeError('This is not a SHA-256 digest.');
    return { sha256, length: contentLength };
  };
  return {
    machine,
    newOwner: randomUUID,
    requireRoom: (bytes) => kept.requireRoom(bytes),
    async keep(owner, file, path, signal) {
      const opened = await openRegularFile(path);
      try {
        await kept.keep(owner, opened, asKept(file).sha256, { signal });
      } finally {
        await opened.close();
      }
    },
    sync: (owner) => kept.sync(owner),
    async missing(owner, files) {
      const gone = await kept.missing(owner, files.map(asKept));
      const digests = new Set<string>(gone.map(({ sha256 }) => sha256));
      return files.filter(({ sha256 }) => digests.has(sha256));
    },
    async open(owner, file, signal) {
      const bytes = await kept.open(owner, { ...asKept(file), filename: file.filename }, { signal });
      return { body: (stop) => bytes.body({ signal: stop }), close: () => bytes.close() };
    },
    release: (owner) => kept.release(owner),
    sweep: (isNeeded) => kept.sweep(isNeeded),
  };
}
