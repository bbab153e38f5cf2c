import type { Arguments, Guarded } from './arguments.ts';
import type { OperationName } from './operations/find-operation.ts';
import type { KnownBytes } from './calls/known-bytes.ts';
import type { ItemPage, MutationResult } from './result.ts';
import type { AskedSubmission, SubmissionReport } from './calls/status-of-foreign-submission.ts';
import type { ListMutations, ListedMutation, MutationPage } from './calls/list-mutations.ts';
import type { CallLimits } from './call-clock.ts';
import type { PlannedFiles } from './operations/submission-plan.ts';

/** What one call brings along. */
export interface MutationCall extends CallLimits {
  /** Folders that the host offers files from, beside those of the settings. */
  readonly roots?: readonly string[] | undefined;
  /** Of a submission that was planned before. */
  readonly planned?: PlannedFiles | undefined;
}

/**
 * Every change of the service, guarded: validate, scope, read and compare the revision, claim, send, settle.
 * Each answers within its call's time. What ends `refused` or `not_sent` rejects with a MutationError; other
 * rejections are ArtworkErrors.
 */
export interface Mutations {
  /** Makes the change that an operation stands for, with the arguments that the operation defines. */
  perform<Name extends OperationName>(
    name: Name,
    args: Arguments<Name>,
    call?: MutationCall,
  ): Promise<MutationResult>;

  /**
   * What is known of a mutation; asks the service and waits up to 40 s for news. Of a submission, a page of its
   * items.
   */
  status(clientMutationId: string, call?: MutationCall, page?: ItemPage): Promise<MutationResult>;
  /** What the service says of a submission, by its own id, also of another machine's; writes nothing down. */
  submissionStatus(asked: AskedSubmission, call?: MutationCall, page?: ItemPage): Promise<SubmissionReport>;
  /** Goes on with what was interrupted, under its first identity. */
  resume(args: Guarded, call?: MutationCall): Promise<MutationResult>;
  /** The connected account's mutations, newest first. */
  list(filter: ListMutations): Promise<MutationPage>;

  /** How many of them are neither ended nor given up. */
  countOpen(): Promise<number>;

  /** For a person at this machine: the mutations of every account of this user. */
  listForPerson(filter: ListMutations): Promise<MutationPage>;
  countOpenForPerson(): Promise<number>;
  /** A person's word: it is no longer open, and its kept bytes are freed; its claim stands. @throws not_found */
  abandon(clientMutationId: string): Promise<ListedMutation>;

  /** Whether this machine's ledger has a mutation of the connected account under this id. */
  isKnown(clientMutationId: string): Promise<boolean>;
  /** The most bytes that the service has said it takes; null where it has not, or no account is connected. */
  maxFileBytes(): Promise<number | null>;
  /** What this machine's ledger surely knows of the bytes of the connected account's Assets. */
  knownBytes(): Promise<KnownBytes>;

  /** Ends what goes on in the background and records what is known of it. */
  close(): Promise<void>;
}
