import { createHash } from 'node:crypto';
import { uploadFilename } from '../../src/catalogue/request.ts';
import { ArtworkError } from '../../src/errors.ts';
import type { Copies, ReadFile, UploadFiles } from '../../src/mutations/ports.ts';
import type { Actor, Scheduler } from './scheduler.ts';

/** A picture that somebody has in a folder, as it is wanted on the service. */
export interface Picture {
  readonly path: string;
  readonly filename: string;
  readonly bytes: string;
}

export const contentType = 'image/png';

export function pictureOf(name: string): Picture {
  return { path: `/art/${name}.png`, filename: `${name}.png`, bytes: `picture ${name}` };
}

const digests = new Map<string, string>();

/** SHA-256, 64 lowercase hex digits. */
export function digest(bytes: string): string {
  const known = digests.get(bytes);
  if (known !== undefined) return known;
  const made = createHash('sha256').update(bytes).digest('hex');
  digests.set(bytes, made);
  return made;
}

/** The folder that the pictures lie in, and the private copies of them: what outlives every process. */
export class Folder {
  readonly #files = new Map<string, string>();
  readonly #copies = new Map<string, Map<string, string>>();
  #lost = new Map<string, Map<string, string>>();

  put({ path, bytes }: Picture): void {
    this.#files.set(path, bytes);
  }

  /** Null where it is gone. */
  read(path: string): string | null {
    return this.#files.get(path) ?? null;
  }

  /** Whoever owns the folder changes all of it: other bytes of the same length, so that only a digest tells. */
  change(): void {
    for (const [path, bytes] of this.#files) this.#files.set(path, bytes.toUpperCase());
  }

  remove(): void {
    this.#files.clear();
  }

  copiesOf(owner: string): ReadonlyMap<string, string> {
    return this.#copies.get(owner) ?? new Map();
  }

  keep(owner: string, bytes: string): void {
    const copies = this.#copies.get(owner) ?? new Map<string, string>();
    copies.set(digest(bytes), bytes);
    this.#copies.set(owner, copies);
  }

  free(owner: string): void {
    this.#copies.delete(owner);
    this.#lost.delete(owner);
  }

  /** Somebody deletes all that is kept. Answers whether there was anything. */
  loseCopies(): boolean {
    for (const [owner, copies] of this.#copies) this.#lost.set(owner, copies);
    const had = this.#copies.size > 0;
    this.#copies.clear();
    return had;
  }

  /** Whether somebody has deleted what was kept of some bytes, by their digests. */
  hasLost(digestsOf: readonly string[]): boolean {
    const lost = new Set([...this.#lost.values()].flatMap((copies) => [...copies.keys()]));
    return digestsOf.some((one) => lost.has(one));
  }

  /** The deleted copies come back from a backup. */
  bringBack(): void {
    for (const [owner, copies] of this.#lost) for (const bytes of copies.values()) this.keep(owner, bytes);
    this.#lost = new Map();
  }
}

/** The folder, as one process reaches it. */
export function openFiles(folder: Folder, scheduler: Scheduler, actor: Actor): UploadFiles {
  return {
    open: (path) =>
      scheduler.look(actor, `open ${path}`, () => {
        const { bytes, ...read } = readIn(folder, path);
        return { ...read, path, body: () => Buffer.from(bytes), close: async () => {} };
      }),
    read: (path) => scheduler.look(actor, `read ${path}`, () => readIn(folder, path)),
  };
}

function readIn(folder: Folder, path: string): ReadFile & { readonly bytes: string } {
  const bytes = folder.read(path);
  if (bytes === null) throw new ArtworkError('upload_refused', 'There is no such file.');
  const filename = uploadFilename.parse(path.slice(path.lastIndexOf('/') + 1));
  return { bytes, filename, contentType, contentLength: bytes.length, sha256: digest(bytes), warnings: [] };
}

/** The private copies, as one process reaches them. */
export function openCopies(folder: Folder, scheduler: Scheduler, actor: Actor): Copies {
  let owners = 0;
  const cancelled = (signal: AbortSignal) => {
    if (signal.aborted) throw new ArtworkError('cancelled', 'It was cancelled.');
  };
  return {
    machine: 'm',
    newOwner() {
      owners += 1;
      return `${actor.name}-${owners}`;
    },
    keep: (owner, path, { signal }) =>
      scheduler.io(actor, `keep ${path}`, () => {
        cancelled(signal);
        const read = readIn(folder, path);
        folder.keep(owner, read.bytes);
        return read;
      }),
    sync: async () => {},
    missing: (owner, files) =>
      scheduler.look(actor, `look kept ${owner}`, () =>
        files.filter(({ sha256 }) => !folder.copiesOf(owner).has(sha256)),
      ),
    open: (owner, { sha256 }, signal) =>
      scheduler.look(actor, `open kept ${owner}`, () => {
        cancelled(signal);
        const bytes = folder.copiesOf(owner).get(sha256);
        if (bytes === undefined) throw new ArtworkError('upload_refused', 'The kept bytes are gone.');
        return { body: () => Buffer.from(bytes), close: async () => {} };
      }),
    release: (owner) => scheduler.io(actor, `free kept ${owner}`, () => folder.free(owner)),
    // Nothing is a day old here.
    sweep: async () => {},
  };
}
