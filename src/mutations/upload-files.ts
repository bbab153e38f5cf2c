import type { ArtworkError } from '../errors.ts';
import type { KeptError } from '../ledger/entry.ts';
import type { Warning } from './finding.ts';
import type { MutationPorts, UploadFiles } from './ports.ts';
import { openAccountLedger } from './session.ts';

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

/** Where files come from in one call. */
export interface FileSource {
  readonly files: UploadFiles;
  /** Folders that the host offers, beside those of the settings. */
  readonly roots: readonly string[];
  readonly limit: SizeLimit;
}

/** The most bytes that the service has said it takes (interface document, Errors: `asset.file.maxSize`). */
export interface SizeLimit {
  /** Null where it has not said so. */
  known(): Promise<number | null>;
  /** Learns from a refusal. */
  learn(error: ArtworkError | KeptError | null | undefined): void;
}

/** Remembers the limit while the program runs, and finds it in the ledger when it starts anew. */
export function createSizeLimit(ports: MutationPorts): SizeLimit {
  let limit: number | null = null;
  let asked = false;
  const learn: SizeLimit['learn'] = (error) => {
    const told = error?.code === 'asset.file.maxSize' ? error.details?.maxBytes : undefined;
    if (typeof told === 'number' && Number.isSafeInteger(told) && told > 0) limit = told;
  };
  return {
    learn,
    async known() {
      if (limit === null && !asked) {
        const { ledger, scope } = await openAccountLedger(ports);
        const { views } = await ledger.list(scope, { state: 'refused', limit: 200 });
        for (const { entry } of views.toReversed()) learn(entry.error);
        asked = true;
      }
      return limit;
    },
  };
}
