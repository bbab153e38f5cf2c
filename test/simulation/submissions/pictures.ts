import { createHash } from 'node:crypto';

/** A picture that somebody has in a folder, as it is wanted on the service. */
export interface Picture {
  readonly path: string;
  readonly filename: string;
  readonly bytes: string;
  readonly sha256: string;
}

export const contentType = 'image/png';

export function pictureOf(mutation: number, number: number): Picture {
  const filename = `${mutation}-${number}.png`;
  const bytes = `picture ${number} of ${mutation}`;
  return { path: `/art/${filename}`, filename, bytes, sha256: digest(bytes) };
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

/** The folder that the pictures lie in. Whoever owns it may change it at any time. */
export class Folder {
  readonly #files = new Map<string, string>();

  put({ path, bytes }: Picture): void {
    this.#files.set(path, bytes);
  }

  /** Null where it is gone. */
  read(path: string): string | null {
    return this.#files.get(path) ?? null;
  }

  /** Other bytes of the same length, so that only a digest tells. */
  change(paths: readonly string[]): void {
    for (const path of paths) {
      const bytes = this.#files.get(path);
      if (bytes !== undefined) this.#files.set(path, bytes.toUpperCase());
    }
  }

  remove(paths: readonly string[]): void {
    for (const path of paths) this.#files.delete(path);
  }
}
