import type { SubmissionKind } from '../catalogue/submission.ts';
import type { ListFilter } from '../ledger/ledger.ts';
import type {
  ItemPage,
  ListedMutation,
  MutationPage,
  MutationResult,
  PendingChange,
} from './answer/result.ts';
import type { CallOptions } from './caller.ts';
import type { Warning } from './change.ts';
import type { Arguments, Guarded, OperationName } from './operations/index.ts';
import type { PlannedFiles } from './before/files.ts';
import type { TargetReference } from '../model/target.ts';

/** What one call brings along. */
export interface MutationCall extends CallOptions {
  /** Folders that the host offers files from, beside those of the settings. */
  readonly roots?: readonly string[] | undefined;
  /** What the caller points out, beside what is found here. */
  readonly warnings?: readonly Warning[] | undefined;
  /** Of a submission that was planned before. */
  readonly planned?: PlannedFiles | undefined;
}

/** What a status shows beside how the change stands. */
export interface StatusPage extends ItemPage {
  /** The service's own receipt, as it was kept. */
  readonly receipt: boolean;
}

/**
 * Every change of the service, guarded: validate, scope, read and compare the revision, claim, send, settle. Each call
 * answers within its time. What ends `refused` or `not_sent` rejects with a MutationError; other rejections are
 * ArtworkErrors.
 */
export interface Mutations {
  /** Makes the change that an operation stands for, with the arguments that the operation defines. */
  perform<Name extends OperationName>(
    name: Name,
    args: Arguments<Name>,
    call?: MutationCall,
  ): Promise<MutationResult>;
  /** What is known of a change; asks the service and waits up to 40 s for news. Of a submission, a page of its items. */
  status(clientMutationId: string, call?: MutationCall, page?: StatusPage): Promise<MutationResult>;
  /** What the service says of a submission, by its own id, also of another machine's; writes nothing down. */
  submissionStatus(
    asked: { readonly submissionId: string; readonly kind: SubmissionKind },
    call?: MutationCall,
    page?: StatusPage,
  ): Promise<Omit<MutationResult, 'clientMutationId'>>;
  /** Goes on with what was interrupted, under its first identity. */
  resume(args: Guarded, call?: MutationCall): Promise<MutationResult>;

  /** The changes of this user, newest first; of another account's only that there is one. */
  list(filter: ListFilter): Promise<MutationPage>;
  /** How many of them are neither ended nor given up. */
  countOpen(): Promise<number>;
  /** For a person at this machine: whole, whichever account they are of, and without a connection. */
  listForPerson(filter: ListFilter): Promise<MutationPage>;
  countOpenForPerson(): Promise<number>;
  /** A person's word: it is no longer open, and its kept bytes are freed; its claim stands. @throws not_found */
  abandon(clientMutationId: string): Promise<ListedMutation>;

  /** What of the account's own is not settled, or was not public when it ended, on these things. */
  pendingOn(things: readonly TargetReference[]): Promise<readonly PendingChange[]>;
  /** Whether this machine's ledger has a change of the connected account under this id. */
  isKnown(clientMutationId: string): Promise<boolean>;
  /** The most bytes that the service has said it takes; null where it has not, or no account is connected. */
  maxFileBytes(): Promise<number | null>;
  /** The digest of the bytes of the account's Assets by their id in lower case, as far as the ledger surely knows it. */
  knownBytes(): Promise<ReadonlyMap<string, string>>;
  /** Ends what goes on in the background and records what is known of it. */
  close(): Promise<void>;
}
