import { hostname } from 'node:os';
import { uploadFilename } from '../catalogue/request.ts';
import type { CheckedFile } from '../files/check.ts';
import { asSha256 } from '../files/content.ts';
import { createCopies, type DeclaredContent } from '../files/copies.ts';
import { shapeOfSlot } from '../model/slots.ts';
import type { Bytes, Copies, OpenedFor, UploadFiles } from '../mutations/ports.ts';

/** Loads what decodes pictures: at the first file. */
const checking = () => import('../files/check.ts');

/** How a file is checked that lies in a folder of the settings, or in one that the host offers with the call. */
function checkingOf(configured: readonly string[], { roots, known, frame, signal, progress }: OpenedFor) {
  return {
    roots: { configured, host: roots },
    onProgress: (done: number, length: number) => progress(done, length, 'hashing'),
    ...{ known, frame, signal },
  };
}

/** What is announced of a file that was checked, and what a person would want to know of it. */
async function announced<Checked extends CheckedFile>(file: Checked, { slot, known }: OpenedFor) {
  const { warningsOf } = await checking();
  const usual = shapeOfSlot(slot);
  const warnings = file.sha256 === known ? [] : warningsOf(file, { slot, usual });
  return { ...file, filename: uploadFilename.parse(file.filename), warnings };
}

/** The files that changes may send: below the folders of the settings, and those that the host offers with a call. */
export function createUploadFiles(configured: readonly string[]): UploadFiles {
  return {
    async open(file, how) {
      const { openUpload } = await checking();
      return announced(await openUpload(file, checkingOf(configured, how)), how);
    },
    async read(file, how) {
      const { checkFile } = await checking();
      return announced(await checkFile(file, checkingOf(configured, how)), how);
    },
  };
}

/**
 * Private copies below the data folder.
 * @param configured the folders of the settings that files may lie in
 * @param storeId the id of the store whose changes need them
 * @param machine what people call this machine
 */
export function createKeptCopies(
  home: string,
  configured: readonly string[],
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
    async keep(keeper, file, how) {
      const { checkFile } = await checking();
      return announced(await checkFile(file, checkingOf(configured, how), { copies, keeper }), how);
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
