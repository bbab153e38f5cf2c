import type { UploadFiles } from './ports.ts';
import type { Warning } from './evidence.ts';

/**
 * Files of this machine, from the folders that are open for uploads: those of the settings, and those that
 * the host offers with a call.
 */
export function createUploadFiles(configured: readonly string[]): UploadFiles {
  return {
    async open(file, { slot, roots, maxBytes, known, signal, progress }) {
      // Loads what decodes pictures, which most calls never need.
      const { prepareFile } = await import('../files/prepare.ts');
      const { facts, bytes } = await prepareFile(file, {
        roots: { configured, host: roots },
        slot,
        maxBytes,
        known,
        signal,
        onProgress: (done, length) => progress(done, length, 'hashing'),
      });
      const { name, filename, filenameChanged, contentType, contentLength, sha256, warnings } = facts;
      const renamed: Warning = {
        code: 'filename_changed',
        message: `"${name}" can't stand in a header as it is: it is announced as "${filename}".`,
      };
      return {
        path: bytes.file.path,
        filename,
        contentType,
        contentLength,
        sha256,
        warnings: filenameChanged ? [...warnings, renamed] : warnings,
        body: (stop) => bytes.body({ signal: stop }),
        close: () => bytes.close(),
      };
    },
    async find(file, { roots }) {
      const { openUploadFile } = await import('../files/open-file.ts');
      const found = await openUploadFile(file, { configured, host: roots });
      await found.close();
      return { path: found.path, contentLength: found.length };
    },
  };
}
