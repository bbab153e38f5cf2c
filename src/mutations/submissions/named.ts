import type { Mutation } from '../mutation.ts';
import type { Entry, NamedPlace } from './check-places.ts';
import type { NamedFile, SeenFile } from './look-at-files.ts';

/** A submission whose arguments are sound, and whose files nobody has looked at. */
export interface Named {
  /** What all its pictures belong to, where that is known. */
  readonly entry: Entry | null;
  readonly places: readonly NamedPlace[];
  readonly files: readonly NamedFile[];
  /** The mutation, once the files were seen: one for each of `files`, in their order. */
  declare(files: readonly SeenFile[]): Mutation;
}
