import type { Json } from '../canonical-json.ts';
import type { NeededScopes } from '../catalogue/authorization.ts';
import type { Saved } from '../catalogue/records/owned.ts';
import type { ClientMutationId, FileRequest, JsonRequest } from '../catalogue/request.ts';
import type { Deadline } from '../deadline.ts';
import type { TargetReference } from '../model/target.ts';
import type { Guard } from './before/guard.ts';
import type { Objection } from './before/objection.ts';
import type { CheckContext, ReadRecords } from './before/shown-records.ts';
import type { Caller } from './caller.ts';
import type { Finding, Warning } from './finding.ts';
import type { Names } from './names.ts';
import type { OwnedReads, UploadSource } from './ports.ts';
import type { Declared } from './submission.ts';

/** One change of the service: an operation with its arguments, from a call or from what the ledger kept of them. */
export type Mutation = SingleRequest | Upload | SubmissionOfFiles;

/** What is known of every change. */
interface Change {
  readonly operation: string;
  readonly clientMutationId: ClientMutationId;
  readonly expectedUpdatedAt: string | null;
  readonly target: MutationTarget;
  /** The canonical arguments: the same call is the same intent. */
  readonly intent: { readonly [member: string]: Json };
  /** What has to be granted to send it. */
  readonly needed: NeededScopes;
  /** What is read and compared just before it is sent. */
  readonly guards: readonly Guard[];
  /** What its receipt identifies. */
  readonly saved: Saved;
  /** The places that it fills, where two mutations can't both be right (a Set's target and slot). */
  readonly places: readonly MutationPlace[];
  /** The arguments of the call that makes it, in full. Null: they can't be told from what is known. */
  again(progress: Json): Readonly<Record<string, unknown>> | null;
  /** What stands there of what it changes, so that a person can put it back; empty: it puts nothing aside. */
  earlier(records: ReadRecords): Earlier;
  /**
   * What stands against it as things are: told before anything is claimed, by a dry run too, and where the service
   * answers with a conflict. Rejections are ArtworkErrors.
   */
  check(seen: CheckContext): Promise<readonly Objection[]>;
  /** What has to be known before it is sent, so that `find` can tell it apart afterwards; undefined: nothing. */
  prepare(owned: OwnedReads, deadline: Deadline): Promise<Json | undefined>;
  /** What the service shows of it now. Rejections are ArtworkErrors. */
  find(look: LookupContext): Promise<Finding>;
  /** How far public reads show by now what was saved; null: not known, or its receipt has told all of it. */
  publication(look: Pick<LookupContext, 'owned' | 'deadline'>): Promise<string | null>;
}

/** One JSON request without an identity on the wire: only the resource itself tells whether it was applied. */
export interface SingleRequest extends Change {
  readonly by: 'request';
  /** @throws ArtworkError `invalid_arguments` for a revision that the service could not compare */
  request(): JsonRequest<'assumed' | 'none'>;
  /** What the service shows of what it has just said to be done; null: it did not say what it created. */
  confirm(look: LookupContext, savedId: string | null): Promise<Finding | null>;
}

/** One request whose body is a file. The service keeps a record of its id. */
export interface Upload extends Change {
  readonly by: 'upload';
  request(): FileRequest<'documented'>;
  /** Which bytes it puts where. */
  readonly bytes: PlacedBytes;
}

/** An admission, then a request for each file, then the completion. The service keeps a record of it. */
export interface SubmissionOfFiles extends Change {
  readonly by: 'submission';
  /** The admission. @throws as the request of a single one */
  request(): JsonRequest<'documented'>;
  readonly declared: Declared;
}

/** What a mutation acts on. The ledger keeps it, and lists show it. */
export interface MutationTarget {
  /** Of what exists already. */
  readonly id?: number | string;
  /** What people call it. */
  readonly title?: string;
  /** What people call it once the mutation is done, where that is another name. */
  readonly newTitle?: string;
  readonly [member: string]: Json | undefined;
}

/** What a change puts aside, in the words of the arguments that would put it back. */
export type Earlier = { readonly [member: string]: Json };

export interface LookupContext {
  readonly owned: OwnedReads;
  /** What was noted before it was sent. */
  readonly progress: Json;
  /** What people call its targets, as far as that is known. */
  readonly names?: Names | undefined;
  readonly deadline: Deadline;
}

/** A mutation as one call makes it: with its bytes at hand, and with what was found out about it. */
export interface Prepared {
  readonly mutation: Mutation;
  /** Of an upload: its open file. */
  readonly file: UploadSource | null;
  /** What a run needs beside the intent: the first journal. */
  readonly progress: Json;
  /** The arguments of the call at hand, where what is kept of it does not hold them all. */
  readonly given?: Readonly<Record<string, unknown>> | undefined;
  /** Pointed out before it is sent. */
  readonly warnings: readonly Warning[];
  /** What stands there of what it changes; left out: nothing of it was read yet, or it puts nothing aside. */
  readonly earlier?: Earlier | undefined;
  /** What people call its targets, as far as that is known; left out: nothing of it was read yet. */
  readonly names?: Names | undefined;
  /** Of a submission: keeps its files just before it is claimed, or finds them kept. Answers its first journal. */
  keep?(caller: Caller): Promise<Json>;
}

/** A place that two mutations can't both fill. */
export type MutationPlace =
  /** A slot of a target in a Set; null: the target is left out, and any of the Set's may be meant. */
  | {
      readonly in: 'set';
      readonly setId: number;
      readonly target: TargetReference | null;
      readonly slot: string;
    }
  | { readonly in: 'set metadata'; readonly setId: number }
  | { readonly in: 'group'; readonly groupId: number | string; readonly slot: string }
  /** An Asset, which is replaced or edited once. */
  | { readonly in: 'asset'; readonly assetId: string }
  /**
   * A Set that is being made has no id yet: a second one for the same work with the same pictures is the same,
   * whatever its title. `pictures`: their digest.
   */
  | { readonly in: 'new set'; readonly work: TargetReference; readonly pictures: string };

/** A file that a mutation sends, alone or with others, and what for. */
export interface PlacedBytes {
  readonly filename: string;
  readonly sha256: string;
  readonly slot: string;
  /** A `targetKind` and `targetId`, or the Set or group that the upload goes to. */
  readonly target: TargetReference;
}
