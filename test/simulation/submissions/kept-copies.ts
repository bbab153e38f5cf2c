import { ArtworkError } from '../../../src/errors.ts';
import type { BlobFiles } from '../../../src/mutations/ports.ts';
import type { Actor, Scheduler } from '../scheduler.ts';
import { digest, type Folder } from './pictures.ts';

/** The private copies on the disk of the machine, which outlive every process. */
export class KeptCopies {
  readonly #copies = new Map<string, Map<string, string>>();
  readonly #lost = new Map<string, Map<string, string>>();

  of(keeper: string): ReadonlyMap<string, string> {
    return this.#copies.get(keeper) ?? new Map();
  }

  keep(keeper: string, bytes: string): void {
    const copies = this.#copies.get(keeper) ?? new Map<string, string>();
    copies.set(digest(bytes), bytes);
    this.#copies.set(keeper, copies);
  }

  release(keeper: string): void {
    this.#copies.delete(keeper);
    this.#lost.delete(keeper);
  }

  /** Somebody deletes all that is kept. Answers whether there was anything. */
  lose(): boolean {
    const there = [...this.#copies];
    for (const [keeper, copies] of there) this.#lost.set(keeper, copies);
    this.#copies.clear();
    return there.length > 0;
  }

  /** Whether somebody has deleted what is kept under a name. */
  isLost(keeper: string): boolean {
    return this.#lost.has(keeper);
  }

  /** They come back from a backup. */
  bringBack(): void {
    for (const [keeper, copies] of this.#lost) {
      for (const bytes of copies.values()) this.keep(keeper, bytes);
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
    newKeeper() {
      keepers += 1;
      return `${actor.name}-${keepers}`;
    },
    requireRoom: () => look('room kept', () => {}),
    keep: (keeper, file, path, { signal }) =>
      io(`keep ${path}`, () => {
        if (signal.aborted) throw new ArtworkError('cancelled', 'It was cancelled.');
        const bytes = folder.read(path);
        if (bytes === null || digest(bytes) !== file.sha256)
          throw new ArtworkError('upload_refused', 'The file changed meanwhile.');
        copies.keep(keeper, bytes);
      }),
    missing: (keeper, files) =>
      look(`look kept ${keeper}`, () => files.filter(({ sha256 }) => !copies.of(keeper).has(sha256))),
    open: (keeper, { sha256 }, signal) =>
      look(`open kept ${keeper}`, () => {
        if (signal.aborted) throw new ArtworkError('cancelled', 'It was cancelled.');
        const bytes = copies.of(keeper).get(sha256);
        if (bytes === undefined) throw new ArtworkError('upload_refused', 'The kept bytes are gone.');
        return { body: () => Buffer.from(bytes), close: async () => {} };
      }),
    release: (keeper) => io(`free kept ${keeper}`, () => copies.release(keeper)),
    // Nothing is a day old here.
    sweep: async () => {},
  };
}
