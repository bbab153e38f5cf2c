import type { Fate } from '../../catalogue/fate.ts';
import { protectedError } from '../../catalogue/protected-error.ts';
import { submissions } from '../../catalogue/records/submission.ts';
import { submissionId as parseId, type SubmissionId } from '../../catalogue/requests/fields.ts';
import type { Bearer } from '../../connections/grant.ts';
import type { ArtworkError } from '../../errors.ts';
import { cancelled } from '../call-clock.ts';
import type { Job } from '../job.ts';
import type { MutationPorts } from '../ports.ts';
import type { Declared, FileItem } from './declared.ts';
import type { Notebook } from './notebook.ts';
import type { Tokens } from './tokens.ts';

/** One process's work on one submission. */
export interface Run {
  readonly ports: MutationPorts;
  readonly job: Job;
  readonly declared: Declared;
  readonly files: readonly FileItem[];
  readonly notebook: Notebook;
  readonly tokens: Tokens;
  /** The call was given up, or the program ends: nothing more is begun. */
  readonly stop: AbortSignal;
}

/** Of a submission that was admitted. */
export function idOf({ notebook }: Run): SubmissionId {
  return parseId.parse(notebook.notes.submissionId);
}

/** @throws ArtworkError `cancelled` once nothing more is to be begun */
export function requireWanted({ stop }: Run): void {
  if (stop.aborted) throw cancelled();
}

/** What a refusal means to whoever made the request. */
export function refusalOf(
  { declared }: Run,
  { error }: Extract<Fate, { fate: 'refused' }>,
  { scopes }: Bearer,
): ArtworkError {
  return protectedError(error, submissions[declared.kind].needed, scopes);
}
