import type { Mutation } from '../mutation.ts';
import type { EntryTarget, RequestedPlace } from '../checks/targets.ts';
import type { GivenFile, InspectedFile } from '../batch/inspect-files.ts';

/** A submission whose arguments are sound, and whose files nobody has looked at. */
export interface SubmissionPlan {
  /** What all its pictures belong to, where that is known. */
  readonly entry: EntryTarget | null;
  readonly places: readonly RequestedPlace[];
  readonly files: readonly GivenFile[];
  /** The mutation, once the files were seen: one for each of `files`, in their order. */
  declare(files: readonly InspectedFile[]): Mutation;
}
