import { z } from 'zod';
import type { Json } from '../../canonical-json.ts';
import type { NeededScopes } from '../../catalogue/authorization.ts';
import type { JsonRecord } from '../../catalogue/records/members.ts';
import type { Saved } from '../../catalogue/records/owned.ts';
import {
  type ClientMutationId,
  clientMutationId,
  type FileRequest,
  type JsonRequest,
  sha256,
  uploadFile,
} from '../../catalogue/request.ts';
import type { SubmissionKind } from '../../catalogue/submission.ts';
import { invalidArguments } from '../../errors.ts';
import type { TargetReference } from '../../model/target.ts';
import type { Change, DeclaredFile, DeclaredItem, Single } from '../change.ts';
import type { Guard, RevisionSource } from './revisions.ts';

/** What the mutation layers know of an operation, whatever its arguments: a row of the table in `index.ts`. */
export interface Operation<Name extends string = string, Args extends z.ZodObject = z.ZodObject> {
  /** Also the name of the tool that makes it. */
  readonly name: Name;
  /** The arguments of a call: the only spelling of them. */
  readonly arguments: Args;
  /** What leaves: one JSON request, one request with a file, or an admission with files behind it. */
  readonly sends: 'json' | 'file' | SubmissionKind;
  /** Whose revision the arguments of a call rest on. They may be anything. */
  readonly revision: RevisionSource;
  /** What it makes or changes, and so what its receipt identifies. */
  readonly saved: Saved;
  /** Reads the arguments of a call, before a file was opened. @throws ArtworkError `invalid_arguments` */
  called(given: object): Called;
  /** The change that the ledger kept. @throws ArtworkError `invalid_arguments` for an intent that another version kept */
  kept(id: ClientMutationId, intent: Json): Intended;
}

/** A call whose arguments are sound, and whose files were not looked at yet. */
export interface Called {
  readonly id: ClientMutationId;
  readonly files: readonly NamedFile[];
  /** The change that is meant. @param files what each of `files` is, in their order */
  meant(files: readonly DeclaredFile[]): Intended;
}

/** A file as a call names it. */
export interface NamedFile {
  /** An absolute path or a `file:` URI. */
  readonly file: string;
  readonly slot: string;
  /** What it is to be announced as; null: its own name, as far as a header can carry it. */
  readonly filename: string | null;
  /** Where it stands in the arguments. */
  readonly at: readonly string[];
}

/** A file as it is announced, and the digest of the bytes that are meant: what an intent knows of it. */
export const declaredFile = z.strictObject({ ...uploadFile.shape, sha256 });

/** A change, with what only the door knows of it: what is checked, told and undone. */
export type Intended = Change & Described;

export interface Described {
  /** Where pictures are to go. */
  readonly places: readonly Placement[];
  /** What all of them belong to, where that is one thing. */
  readonly work: TargetReference | null;
  /** Revisions that it rests on, its own first. */
  readonly guards: readonly Guard[];
  /** What stands there of what is changed, in the words of the arguments; empty: nothing is put aside. */
  earlier(records: OwnRecords): JsonObject;
  /** The arguments, but for the guard's, of the call that puts `earlier` back; null: there is no way back. */
  undo(earlier: JsonObject): JsonObject | null;
}

/** Where a picture is to go. */
export interface Placement {
  readonly target: TargetReference;
  readonly slot: string;
  /** Whether it takes the place, or only says what the picture is of. */
  readonly fills: boolean;
  /** Where it stands in the arguments. */
  readonly at: readonly string[];
}

/** Records that the guards' reads have shown, by `keyOfGuard`. */
export type OwnRecords = ReadonlyMap<string, JsonRecord>;
