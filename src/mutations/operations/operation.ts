import { z } from 'zod';
import { canonicalAnswer, canonicalJson, type Json } from '../../canonical-json.ts';
import type { NeededScopes } from '../../catalogue/authorization.ts';
import { isRecord, type JsonRecord, publicationIn, textAt } from '../../catalogue/records/members.ts';
import { readReceipt, revisionOf, type Saved, serviceRevision } from '../../catalogue/records/owned.ts';
import {
  type ClientMutationId,
  clientMutationId,
  type FileRequest,
  type JsonObject,
  type JsonRequest,
  jsonObject,
  sha256,
  uploadFile,
  uploadFilename,
} from '../../catalogue/request.ts';
import type { SubmissionKind } from '../../catalogue/submission.ts';
import { ArtworkError, invalidArguments } from '../../errors.ts';
import type { TargetReference } from '../../model/target.ts';
import { quotedSentence } from '../../text.ts';
import type { Change, DeclaredFile, DeclaredItem, Finding, LookContext, Receipt, Single } from '../change.ts';
import { asJson } from '../receipt.ts';
import {
  compareRevisions,
  type Guard,
  guardOf,
  type OwnRecords,
  type RevisionSource,
  readGuarded,
} from './revisions.ts';

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
  /** What of the change is known already: all but its files, and what follows from their bytes. */
  readonly outline: Pick<Intended, 'needed' | 'guards' | 'places' | 'work' | 'operation'>;
  /** The change that is meant. @param files what each of `files` is, in their order */
  meant(files: readonly DeclaredFile[]): Intended;
}

/** A file as a call names it. */
export interface NamedFile {
  /** An absolute path or a `file:` URI. */
  readonly file: string;
  readonly slot: string;
  /** What it is to be announced as; null: its own name, as far as a header can carry it. */
  readonly filename: DeclaredFile['filename'] | null;
  /** The frame of it that is to be chosen, from 0; null: none is. */
  readonly frame: number | null;
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
  /** Where it stands in the arguments. */
  readonly at: readonly string[];
}

/** "none" is null: some hosts can't send a null that is required. Everything behind this knows null alone. */
const expectedUpdatedAt = z
  .string()
  .min(1)
  .nullable()
  .transform((revision) => (revision === 'none' ? null : revision));

/** What the arguments of every operation begin with. */
export const guardedArguments = { clientMutationId, expectedUpdatedAt };

/** The arguments of an operation: the guard and its own, and nothing else. */
export function defineArguments<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject({ ...guardedArguments, ...shape });
}

/** The arguments as they are meant. @throws ArtworkError `invalid_arguments` that names what can't be */
export function checkArguments<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ code, message, path }) => ({
    code,
    message: message.endsWith('received undefined') ? 'is missing' : message,
    path: path.map(String),
  }));
  throw invalidArguments("These arguments can't be used", issues);
}

/** Of the revision that a body carries which the interface document shows. @throws ArtworkError `invalid_arguments` */
export function requireServiceRevision(
  revision: string | null,
  at: readonly string[] = ['expectedUpdatedAt'],
) {
  const known = revision === null ? null : serviceRevision(revision);
  if (known !== null) return known;
  const message = 'is not a revision of the service, which is all that it can compare';
  throw invalidArguments("These arguments can't be used", [{ code: 'revision', message, path: at }]);
}

/** Of the revision in a body that is only assumed: one that only we know is left out. */
export function revisionToSend(revision: string | null) {
  return revision === null ? undefined : (serviceRevision(revision) ?? undefined);
}

interface Identified {
  readonly clientMutationId: ClientMutationId;
  readonly expectedUpdatedAt: string | null;
}

/** What the file of an operation says of it. `Meant`: its arguments once they are parsed, with files as they are declared. */
interface Specified<Meant extends Identified> {
  readonly meant: z.ZodType<Meant>;
  readonly revision: RevisionSource;
  readonly saved: Saved;
  /** The service compares the own revision by a field that the interface document shows. Left out: it does not. */
  readonly comparedOnWire?: true;
  needed(args: Meant): NeededScopes;
  /** What it acts on, as the ledger keeps it to be shown. */
  target(args: Meant): JsonObject;
  /** What two changes can't both be. Left out: nothing. */
  keys?(args: Meant): readonly string[];
  /** Beside that of its own revision. */
  guards?(args: Meant): readonly Guard[];
  places?(args: Meant): readonly Placement[];
  work?(args: Meant): TargetReference;
  /** Left out: nothing is put aside that a call could put back. */
  earlier?(args: Meant, records: OwnRecords): JsonObject;
  undo?(args: Meant, earlier: JsonObject): JsonObject | null;
}

/** One JSON request without an identity on the wire: only what it changes tells whether it was applied. */
interface SendsJson<Meant> {
  readonly sends: 'json';
  request(args: Meant, noticed: Json): JsonRequest;
  /** What is noticed before it is sent. Left out: nothing. */
  notice?(args: Meant, reads: Pick<LookContext, 'owned' | 'deadline'>): Promise<Json>;
  /**
   * How its effect is found: of an edit by the record whose revision it rests on, of a creation by what is listed.
   * `compare` answers what was meant beside what the record shows (undefined: it does not show it).
   */
  readonly effect:
    | { compare(args: Meant, record: JsonRecord | null, noticed: Json): readonly Compared[] }
    | { find(args: Meant, reads: LookContext): Promise<Finding> };
}

export interface Compared {
  readonly meant: Json;
  readonly shown: unknown;
}

interface SendsFile<Meant> {
  readonly sends: 'file';
  request(args: Meant): FileRequest;
  file(args: Meant): DeclaredFile;
  find(args: Meant, reads: LookContext): Promise<Finding>;
  notice(args: Meant, reads: Pick<LookContext, 'owned' | 'deadline'>): Promise<Json>;
}

interface SendsSubmission<Meant> {
  readonly sends: SubmissionKind;
  request(args: Meant): JsonRequest<'documented'>;
  items(args: Meant): readonly DeclaredItem[];
}

/** Closes an operation over the type of its own arguments, so that the table of all has one type. */
export function defineOperation<
  const Name extends string,
  Args extends z.ZodObject,
  Meant extends Identified,
>(
  specified: Specified<Meant> &
    (SendsJson<Meant> | SendsFile<Meant> | SendsSubmission<Meant>) & {
      readonly name: Name;
      readonly arguments: Args;
      /** The arguments of a call with what has to hold between them, where that is more than they say themselves. */
      readonly called?: z.ZodType;
    },
): Operation<Name, Args> {
  const { name, revision, saved, sends } = specified;
  const mean = (given: unknown): Intended => {
    const args = checkArguments(specified.meant, given);
    return intended(specified, name, args);
  };
  return {
    name,
    arguments: specified.arguments,
    sends,
    revision,
    saved,
    called(given) {
      const args = checkArguments(specified.called ?? specified.arguments, given);
      if (!isRecord(args)) throw new TypeError('Arguments are a record.');
      requireNoRevision(revision(args), args.expectedUpdatedAt);
      const files = filesIn(args);
      return {
        id: checkArguments(clientMutationId, args.clientMutationId),
        files,
        outline: mean(
          withFiles(
            args,
            files.map(() => unread),
          ),
        ),
        meant: (files) => mean(withFiles(args, files)),
      };
    },
    kept: (id, intent) => mean({ ...(isRecord(intent) ? intent : {}), clientMutationId: id }),
  };
}

/** @throws ArtworkError `invalid_arguments` where a revision is given although nothing has one yet */
function requireNoRevision({ of }: { readonly of: string }, expected: unknown): void {
  if (of !== 'nothing' || expected === null) return;
  const message = 'must be "none" (or null): what is made anew has no revision yet';
  throw invalidArguments("These arguments can't be used", [
    { code: 'revision', message, path: ['expectedUpdatedAt'] },
  ]);
}

function intended<Meant extends Identified>(
  specified: Specified<Meant> & (SendsJson<Meant> | SendsFile<Meant> | SendsSubmission<Meant>),
  operation: string,
  args: Meant,
): Intended {
  const { expectedUpdatedAt, clientMutationId: id } = args;
  const intent = intentOf(args);
  const own = guardOf(specified.revision(intent), expectedUpdatedAt, specified.comparedOnWire === true);
  const guards = [...(own === null ? [] : [own]), ...(specified.guards?.(args) ?? [])];
  const all = {
    operation,
    id,
    expectedUpdatedAt,
    intent,
    target: specified.target(args),
    needed: specified.needed(args),
    keys: specified.keys?.(args) ?? [],
    guards,
    places: specified.places?.(args) ?? [],
    work: specified.work?.(args) ?? null,
    earlier: (records: OwnRecords) => specified.earlier?.(args, records) ?? {},
    undo: (earlier: JsonObject) => specified.undo?.(args, earlier) ?? null,
    async requireCurrent(how: 'before sending' | 'before a repetition', { owned, deadline }: LookContext) {
      const compared = guards.filter(({ onWire }) => how === 'before a repetition' || !onWire);
      await compareRevisions(compared, owned, deadline);
    },
  };
  switch (specified.sends) {
    case 'json':
      return { ...all, ...jsonChange(specified, args, own, id) };
    case 'file':
      return {
        ...all,
        by: 'single',
        identity: 'upload',
        request: () => specified.request(args),
        file: specified.file(args),
        notice: (reads) => specified.notice(args, reads),
        receiptOf: (body) => findingOfReceipt(body, specified.saved, id, null),
        look: (reads) => specified.find(args, reads),
      };
    case 'creation':
    case 'edit':
      return {
        ...all,
        by: 'submission',
        kind: specified.sends,
        admission: () => specified.request(args),
        items: specified.items(args),
      };
  }
}

function jsonChange<Meant extends Identified>(
  specified: Specified<Meant> & SendsJson<Meant>,
  args: Meant,
  own: Guard | null,
  id: ClientMutationId,
): Omit<Single, keyof Change> & Pick<Single, 'by'> {
  const { effect } = specified;
  return {
    by: 'single',
    identity: own === null || own.expected === null ? 'none' : 'revision',
    request: (noticed) => specified.request(args, noticed),
    file: null,
    notice: async (reads) => specified.notice?.(args, reads) ?? null,
    receiptOf: (body) => findingOfReceipt(body, specified.saved, id, own?.about ?? null),
    async look(reads) {
      if ('find' in effect) return effect.find(args, reads);
      if (own === null) throw new TypeError('What is compared with a record rests on its revision.');
      const record = await readGuarded(own, reads.owned, reads.deadline);
      const current = record === null ? null : revisionOf(record);
      const compared = effect.compare(args, record, reads.noticed);
      const isAsMeant = compared.every(({ meant, shown }) => shown !== undefined && isSame(meant, shown));
      if (isAsMeant && (current !== own.expected || own.of === 'relationship')) return foundIn(record);
      return current === own.expected ? { found: 'as before' } : { found: 'moved', updatedAt: current };
    },
  };
}

/** Ids come as numbers and as text. */
function isSame(meant: Json, shown: unknown): boolean {
  if (typeof meant === 'number' || typeof shown === 'number') return String(meant) === String(shown);
  return canonicalJson(meant) === canonicalAnswer(shown);
}

/** The finding that a record of the service shows the effect. */
export function foundIn(record: JsonRecord | null): Finding {
  const receipt: Receipt = {
    record: record === null ? null : asJson(record),
    savedId: null,
    updatedAt: record === null ? null : serviceRevision(revisionOf(record)),
    publicationStatus: publicationIn(record ?? {}),
    warnings: [],
  };
  return { found: 'ended', outcome: 'succeeded', receipt };
}

/**
 * What an answer of success says.
 * @param changed what was there before and was to be changed; null: something new was made
 */
function findingOfReceipt(
  body: unknown,
  saved: Saved,
  id: ClientMutationId,
  changed: TargetReference | null,
): Finding {
  const { state, record, savedId, updatedAt, publicationStatus, error } = readReceipt(
    body,
    saved,
    id,
    changed,
  );
  const receipt = { record: asJson(record), savedId, updatedAt, publicationStatus, warnings: [] };
  switch (state) {
    case 'succeeded':
      return { found: 'ended', outcome: 'succeeded', receipt };
    case 'failed':
      return { found: 'ended', outcome: 'failed', receipt, error: processingError(error) };
    case 'processing':
      return { found: 'working', receipt };
    case 'unknown':
      return { found: 'nothing' };
  }
}

/** The error of what the service took and could not process. Its own words stand in marks. */
export function processingError(
  error: { readonly code?: string | undefined; readonly message?: string | undefined } | null,
) {
  const said = error?.message === undefined ? '' : `: ${quotedSentence(error.message)}`;
  return new ArtworkError('bad_response', `The service could not process it${said}.`, { ...error });
}

/** The canonical arguments without the id: the same call is the same intent. */
function intentOf(args: object): JsonObject {
  const { clientMutationId: _, ...intent } = { clientMutationId: null, ...args };
  return jsonObject.parse(asJson(intent));
}

/** The files that the arguments of a call name: its own, or those of one of its lists. */
function filesIn(args: JsonRecord): NamedFile[] {
  const lists = Object.entries(args).flatMap(([list, value]) =>
    Array.isArray(value) ? value.map((item: unknown, at) => ({ item, at: [list, String(at)] })) : [],
  );
  return [{ item: args, at: [] }, ...lists].flatMap(({ item, at }) => {
    if (!isRecord(item) || typeof item.file !== 'string') return [];
    const filename = uploadFilename.safeParse(item.filename).data ?? null;
    const frame = typeof item.selectedSourceFrame === 'number' ? item.selectedSourceFrame : null;
    return [{ file: item.file, slot: textAt(item, 'slot') ?? '', filename, frame, at: [...at, 'file'] }];
  });
}

/** Stands for a file that was not looked at yet. */
const unread: DeclaredFile = declaredFile.parse({
  filename: 'unread',
  contentType: 'image/png',
  contentLength: 1,
  sha256: '0'.repeat(64),
});

/** The arguments with each file by what it is, not by where it lies. */
function withFiles(args: JsonRecord, files: readonly DeclaredFile[]): JsonRecord {
  const queue = files.values();
  const declared = (item: unknown): unknown => {
    if (!isRecord(item) || typeof item.file !== 'string') return item;
    const { filename: _, ...rest } = item;
    const { value: file } = queue.next();
    return { ...rest, file: file === undefined ? null : announced(file) };
  };
  const own = declared(args);
  return Object.fromEntries(
    Object.entries(isRecord(own) ? own : args).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(declared) : value,
    ]),
  );
}

function announced({ filename, contentType, contentLength, sha256: digest }: DeclaredFile): DeclaredFile {
  return { filename, contentType, contentLength, sha256: digest };
}
