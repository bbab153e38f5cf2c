import type { Next } from '../errors.ts';
import type { Json } from '../ledger/canonical.ts';
import type { ListPosition } from '../ledger/ledger.ts';
import type {
  AssignGroupingAssetsArguments,
  ChangeRelationshipArguments,
  CreateGroupArguments,
  CreateGroupingSetArguments,
  CreateMediaSetArguments,
  EditAssetMetadataArguments,
  EditGroupArguments,
  EditSetArguments,
  Guarded,
  SelectPreviewFrameArguments,
  UploadAssetArguments,
} from './arguments.ts';
import type { KnownBytes } from './calls/known-bytes.ts';
import type { ItemPage, MutationResult, Outcome, Warning } from './result.ts';
import type { AskedSubmission, SubmissionReport } from './calls/foreign-submission.ts';
import type { PlannedFile } from './batch/inspect-files.ts';
import type { Touched } from './touched.ts';

/** What one call brings along. */
export interface MutationCall {
  /** Cancels the call: what has not left is not sent; what has left is followed to its end and recorded. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds in which the call has to answer; the work may go on after that. 45,000 unless told otherwise. */
  readonly deadlineMs?: number | undefined;
  /** Told how far the call is: bytes for an upload. */
  readonly progress?: ((done: number, total: number | null, message: string) => void) | undefined;
  /** Folders that the host offers files from, beside those of the settings. */
  readonly roots?: readonly string[] | undefined;
  /** Of a submission that was planned before. */
  readonly planned?: PlannedFiles | undefined;
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

export interface ListMutations {
  /** `open`: neither ended nor given up. */
  readonly state?: Outcome | 'open' | undefined;
  /** ISO 8601: changed then or later. */
  readonly since?: string | undefined;
  /** The `next` of the page before. */
  readonly after?: ListPosition | undefined;
  /** 1 to 200. */
  readonly limit: number;
}

export interface ListedMutation {
  readonly clientMutationId: string;
  readonly operation: string;
  readonly outcome: Exclude<Outcome, 'dry_run'>;
  /** What it made or touched. */
  readonly id?: Touched;
  /** What it acts on, each number with its name beside it where that is known. */
  readonly target: Json;
  /** Somebody works on it at this moment. */
  readonly live: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly abandonedAt: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface MutationPage {
  readonly mutations: readonly ListedMutation[];
  readonly next: ListPosition | null;
}

/**
 * Every change of the service, guarded: validate, scope, read and compare the revision, claim, send, settle.
 * Each answers within its call's time. What ends `refused` or `not_sent` rejects with a MutationError; other
 * rejections are ArtworkErrors.
 */
export interface Mutations {
  uploadAsset(args: UploadAssetArguments, call?: MutationCall): Promise<MutationResult>;
  editAssetMetadata(args: EditAssetMetadataArguments, call?: MutationCall): Promise<MutationResult>;
  selectPreviewFrame(args: SelectPreviewFrameArguments, call?: MutationCall): Promise<MutationResult>;
  createGroup(args: CreateGroupArguments, call?: MutationCall): Promise<MutationResult>;
  editGroup(args: EditGroupArguments, call?: MutationCall): Promise<MutationResult>;
  createGroupingSet(args: CreateGroupingSetArguments, call?: MutationCall): Promise<MutationResult>;
  assignGroupingAssets(args: AssignGroupingAssetsArguments, call?: MutationCall): Promise<MutationResult>;
  changeRelationship(args: ChangeRelationshipArguments, call?: MutationCall): Promise<MutationResult>;

  createMediaSet(args: CreateMediaSetArguments, call?: MutationCall): Promise<MutationResult>;
  editSet(args: EditSetArguments, call?: MutationCall): Promise<MutationResult>;

  /**
   * What is known of a mutation; asks the service and waits up to 40 s for news. Of a submission, a page of its
   * items.
   */
  status(clientMutationId: string, call?: MutationCall, page?: ItemPage): Promise<MutationResult>;
  /** What the service says of a submission, by its own id, whoever made it; writes nothing down. */
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
  /** The most bytes that the service has said it takes; null where it has not, or nobody is connected. */
  maxFileBytes(): Promise<number | null>;
  /** What this machine's ledger surely knows of the bytes of the connected account's Assets. */
  knownBytes(): Promise<KnownBytes>;

  /** Ends what goes on in the background and records what is known of it. */
  close(): Promise<void>;
}
