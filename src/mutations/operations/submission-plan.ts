import type { Mutation } from '../mutation.ts';
import type { EntryTarget, RequestedPlace } from '../checks/targets.ts';
import type { Next } from '../../errors.ts';
import type { Warning } from '../evidence.ts';

/** A submission whose arguments are sound, and whose files are not inspected yet. */
export interface SubmissionPlan {
  /** What all its pictures belong to, where that is known. */
  readonly entry: EntryTarget | null;
  readonly places: readonly RequestedPlace[];
  readonly files: readonly GivenFile[];
  /** The mutation, once the files were seen: one for each of `files`, in their order. */
  declare(files: readonly InspectedFile[]): Mutation;
}

/** What a file was when the call was planned. */
export interface PlannedFile extends Omit<InspectedFile, 'path'> {
  /** For people. */
  readonly name: string;
  /** What was said of it then; null: it is looked at again. */
  readonly warnings: readonly Warning[] | null;
}

/** A file that is to be declared for an item. */
export interface GivenFile {
  /** An absolute path or a `file:` URI. */
  readonly file: string;
  readonly slot: string;
  /** What it is to be announced as; left out: its own name, as far as a header can carry it. */
  readonly filename?: string | undefined;
  /** Where it stands in the arguments. */
  readonly at: readonly string[];
  /** What it still has to be; left out: it may be anything. */
  readonly planned?: PlannedFile | undefined;
}

export interface InspectedFile {
  readonly filename: string;
  readonly contentType: string;
  /** Bytes. */
  readonly contentLength: number;
  readonly sha256: string;
  /** Where it lies, without links. */
  readonly path: string;
}

export interface InspectedFiles {
  /** In the order of the call. */
  readonly files: readonly InspectedFile[];
  readonly warnings: readonly Warning[];
}

/** What the files of a call were when it was planned: others are not sent. */
export interface PlannedFiles {
  /** One for each item with a file, in the order of the call; null: that one was not planned. */
  readonly files: readonly (PlannedFile | null)[];
  /** What makes the plan anew. */
  readonly again: Next;
  /** What the plan leaves out, to be told with the outcome. */
  readonly warnings: readonly Warning[];
}
