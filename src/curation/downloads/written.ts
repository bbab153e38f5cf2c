import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ArtworkError } from '../../errors.ts';
import type { AtomicStore } from '../../storage/atomic-store.ts';

/** What this program wrote at a path, or was about to when it ended. */
const written = z.object({
  /** Lowercase hex. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** The catalogue that it came from. */
  service: z.string(),
  /** Its path on the service; of a file that was made here, what it was made of. */
  ref: z.string(),
  /** `show_set 12`. */
  set: z.string(),
  /** The Set's `dateUpdated` when it was read. */
  setUpdated: z.string().nullable(),
});
export type Written = z.output<typeof written>;

const record = z.object({
  /** For a person who looks into the store. */
  path: z.string(),
  /** The latest last. */
  files: z.array(written).max(100),
});

/** Several processes may be about to write different bytes to one path: each of them must know its own again. */
const mostKept = 32;
const mostAttempts = 20;

type Store = Pick<AtomicStore, 'get' | 'putIfAbsent' | 'compareAndSet'>;

/**
 * What this program has written below folders for downloads, by path and digest. A file whose digest is not among
 * those of its path is foreign: made by a person, or changed by one.
 */
export interface WrittenFiles {
  /** By a file's path without links: what was written there, the latest last. */
  find(path: string): Promise<readonly Written[]>;
  /** Noted before the file gets its name, so that a process that is killed in between leaves nothing unknown. */
  note(path: string, file: Written): Promise<void>;
}

/** Remembers which files a download has written, so that no other file is overwritten. */
export function createWrittenFiles(store: Store): WrittenFiles {
  return {
    async find(path) {
      const entry = await store.get(keyOf(path));
      return entry === null ? [] : read(entry.value).files;
    },
    async note(path, file) {
      const key = keyOf(path);
      const first = { path, files: [file] };
      let { won, current } = await store.putIfAbsent(key, JSON.stringify(first));
      for (let attempt = 0; !won; attempt += 1) {
        const { files } = read(current.value);
        if (isSame(files.at(-1), file)) return;
        const others = files.filter(({ sha256 }) => sha256 !== file.sha256);
        const next = { path, files: [...others, file].slice(-mostKept) };
        const swap = await store.compareAndSet(key, current.version, JSON.stringify(next));
        if (swap.outcome === 'swapped') return;
        if (swap.outcome === 'absent' || attempt === mostAttempts) throw contended(path);
        current = swap.current;
        won = false;
      }
    },
  };
}

/** Case and composition of a path's letters stay: what they mean is the file system's to say. */
function keyOf(path: string): string {
  return `download/${createHash('sha256').update(path).digest('base64url')}`;
}

function isSame(one: Written | undefined, other: Written): boolean {
  return one !== undefined && JSON.stringify(one) === JSON.stringify(other);
}

/** The store is on a disk: what is there has to be checked. */
function read(value: string): z.output<typeof record> {
  const parsed = record.safeParse(jsonOf(value));
  if (parsed.success) return parsed.data;
  throw new ArtworkError('internal', 'The store’s note of a downloaded file is damaged.', {
    code: 'store_unreadable',
    next: { why: 'A person restores the data folder from a backup, or downloads into another folder.' },
  });
}

function jsonOf(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function contended(path: string): ArtworkError {
  return new ArtworkError('conflict', `Other processes keep writing ${path}.`, {
    code: 'download_contended',
    next: { why: 'Once the other downloads into this folder have ended the same call can be made again.' },
  });
}
