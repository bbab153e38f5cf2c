import { ArtworkError } from '../../../src/errors.ts';
import type { BlobFiles } from '../../../src/mutations/ports.ts';
import type { Actor, Scheduler } from '../scheduler.ts';
import { digest, type Folder } from './pictures.ts';

/** The private copies on the disk of the machine, which outlive every process. */
export class KeptCopies {
  readonly #copies = new Map<string, Map<string, string>>();
  readonly #lost = new Map<string, Map<string, string>>();

  of(owner: string): ReadonlyMap<string, string> {
    return this.#copies.get(owner) ?? new Map();
  }

  keep(owner: string, bytes: string): void {
    const copies = this.#copies.get(owner) ?? new Map<string, string>();
    copies.set(digest(bytes), bytes);
    this.#copies.set(owner, copies);
  }

  release(owner: string): void {
    this.#copies.delete(owner);
    this.#lost.delete(owner);
  }

  /** Somebody deletes all that is kept. Answers whether there was anything. */
  lose(): boolean {
    const there = [...this.#copies];
    for (const [owner, copies] of there) this.#lost.set(owner, copies);
    this.#copies.clear();
    return there.length > 0;
  }

  /** Whether somebody has deleted what is kept under a name. */
  isLost(owner: string): boolean {
    return this.#lost.has(owner);
  }

  /** They come back from a backup. */
  bringBack(): void {
    for (const [owner, copies] of this.#lost) {
      for (const bytes of copies.values()) this.keep(owner, bytes);
    }
    this.#lost.clear();
  }
}

/** The copies, as one process reaches them. */
export function keptFiles(copies: KeptCopies, folder: Folder, scheduler: Scheduler, actor: Actor): BlobFiles {
  const io = <Value>(what: string, effect: () => Value) => scheduler.io(actor, what, effect);
  const look = <Value>(what: string, see: () => Value) => scheduler.look(actor, what, see);
  let keepers = 0;
  return {
    machine: 'm',
    newOwner() {
      keepers += 1;
      return `${actor.name}-${keepers}`;
    },
    requireRoom: () => look('room kept', () => {}),
    keep: (owner, file, path, signal) =>
      io(`keep ${path}`, () => {
        if (signal.aborted) throw new ArtworkError('cancelled', 'It was cancelled.');
        const bytes = folder.read(path);
        if (bytes === null || digest(bytes) !== file.sha256)
          throw new ArtworkError('upload_refused', 'The file changed meanwhile.');
        copies.keep(owner, bytes);
      }),
    sync: async () => {},
    missing: (owner, files) =>
      look(`look kept ${owner}`, () => files.filter(({ sha256 }) => !copies.of(owner).has(sha256))),
    open: (owner, { sha256 }, signal) =>
      look(`open kept ${owner}`, () => {
        if (signal.aborted) throw new ArtworkError('cancelled', 'It was cancelled.');
        const bytes = copies.of(owner).get(sha256);
        if (bytes === undefined) throw new ArtworkError('upload_refused', 'The kept bytes are gone.');
        return { body: () => Buffer.from(bytes), close: async () => {} };
      }),
    release: (owner) => io(`free kept ${owner}`, () => copies.release(owner)),
    // Nothing is a day old here.
    sweep: async () => {},
  };
}
