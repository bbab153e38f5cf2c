import type { Json } from '../canonical-json.ts';
import type { NeededScopes } from '../catalogue/authorization.ts';
import type {
  ClientMutationId,
  FileRequest,
  ItemId,
  JsonObject,
  JsonRequest,
  UploadFile,
} from '../catalogue/request.ts';
import type { SubmissionKind } from '../catalogue/submission.ts';
import type { Deadline } from '../deadline.ts';
import type { ArtworkError } from '../errors.ts';
import type { ServiceVerdict } from '../ledger/rows.ts';
import type { OwnedReads } from './ports.ts';
import type { Receipt } from './receipt.ts';

export type { Receipt, Warning } from './receipt.ts';

/**
 * One change of the service, made from the arguments of a call or from what the ledger kept of them: both say the same,
 * so that any process can go on with it.
 */
export type Change = Single | Submission;

interface ChangeFacts {
  /** Also the name of the tool. */
  readonly operation: string;
  readonly id: ClientMutationId;
  readonly expectedUpdatedAt: string | null;
  /** The canonical arguments, with the digests of files: the same call is the same intent. */
  readonly intent: JsonObject;
  /** What it acts on, as lists and answers show it. */
  readonly target: JsonObject;
  /** What has to be granted for it to be sent. */
  readonly needed: NeededScopes;
  /** What two changes can't both be: a place, a digest, a title with its files. */
  readonly keys: readonly string[];
  /**
   * Reads again what the change rests on and compares it, byte for byte. The run calls it as the last thing before the
   * first request leaves.
   * @param how `before sending` leaves out what the service compares on the wire; `before a repetition` leaves out nothing
   * @throws ArtworkError `stale_revision` for a mismatch; any other: it could not be read, and nothing may be sent
   */
  requireCurrent(how: 'before sending' | 'before a repetition', reads: LookContext): Promise<void>;
}

/** One request. */
export interface Single extends ChangeFacts {
  readonly by: 'single';
  /**
   * What a repetition can be told by. `upload`: by its id, of which the service keeps a record. `revision`: by the
   * revision of what it changes. `none`: by nothing, so that it is never repeated once it may have arrived.
   */
  readonly identity: 'upload' | 'revision' | 'none';
  /** @param noticed what `notice` answered */
  request(noticed: Json): JsonRequest | FileRequest;
  /** Of an upload. */
  readonly file: DeclaredFile | null;
  /**
   * What is looked at before the sending so that a later look can tell this change from others: the groups that have
   * the title already, say; and what the request is worked out from. The run asks for it right before the guards are
   * compared, and the ledger keeps it. Null: nothing has to be noticed.
   * @throws ArtworkError where it can't be read; then nothing is sent
   */
  notice(reads: Pick<LookContext, 'owned' | 'deadline'>): Promise<Json>;
  /** What the service's answer of success says. `nothing`: that it says nothing of what was saved, or contradicts itself. */
  receiptOf(body: unknown): Finding;
  /** What the service shows of it now. @throws ArtworkError where it can't be read */
  look(reads: LookContext): Promise<Finding>;
}

/** An admission, one request for each file, and a completion. */
export interface Submission extends ChangeFacts {
  readonly by: 'submission';
  readonly kind: SubmissionKind;
  admission(): JsonRequest;
  /** In the order of their positions; those without a file too. */
  readonly items: readonly DeclaredItem[];
}

export interface DeclaredItem {
  readonly itemId: ItemId;
  readonly position: number;
  readonly target: { readonly kind: string; readonly id: number | string };
  readonly slot: string;
  readonly file: DeclaredFile | null;
}

/** A file as it is announced, and the digest of its bytes (64 lowercase hexadecimal digits). */
export type DeclaredFile = UploadFile & { readonly sha256: string };

export interface LookContext {
  readonly owned: OwnedReads;
  /** What `notice` answered before it was sent. */
  readonly noticed: Json;
  readonly deadline: Deadline;
}

/** What the service shows of a change. That it shows nothing proves nothing: lists and reads may lag. */
export type Finding =
  | {
      readonly found: 'ended';
      readonly outcome: ServiceVerdict;
      readonly receipt: Receipt;
      /** Why it failed. */
      readonly error?: ArtworkError | undefined;
    }
  /** The service has it and works on it. */
  | { readonly found: 'working'; readonly receipt: Receipt }
  /** The expected revision stands, and not what was meant. */
  | { readonly found: 'as before' }
  /** Another revision stands, and not what was meant. */
  | { readonly found: 'moved'; readonly updatedAt: string | null }
  | { readonly found: 'nothing' };
