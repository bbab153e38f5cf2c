import type { z } from 'zod';
import type { Json } from '../../canonical-json.ts';
import type { JsonRecord } from '../../catalogue/records/members.ts';
import type { Saved } from '../../catalogue/records/owned.ts';
import type { ClientMutationId, FileRequest, JsonRequest } from '../../catalogue/request.ts';
import type { SubmissionKind } from '../../catalogue/submission.ts';
import type { Deadline } from '../../deadline.ts';
import type { Next } from '../../errors.ts';
import { guardsOfRevision } from '../before/guard.ts';
import type { CheckContext, ReadRecords } from '../before/shown-records.ts';
import type { EntityTarget, RequestedPlace } from '../before/targets.ts';
import type { Finding, Warning } from '../finding.ts';
import type {
  LookupContext,
  Mutation,
  PlacedBytes,
  SingleRequest,
  SubmissionOfFiles,
  Upload,
} from '../mutation.ts';
import type { OwnedReads, UploadSource } from '../ports.ts';
import { readNote } from '../run/note.ts';
import type { DeclaredItem, declaredFile } from '../submission.ts';
import { checkArguments, intentOf, type RevisionSource, requireNoRevision } from './arguments.ts';
import { lookUpSubmission } from './lookups.ts';
import { type Compared, readBackEdit } from './read-back.ts';
import { checkIdIsNew, findUpload, lookUpUpload } from './upload-lookups.ts';

/** What the mutation layers know of an operation of whatever kind. */
export interface Operation<Name extends string = string, Args extends z.ZodObject = z.ZodObject> {
  /** Also the name of the tool that makes it. */
  readonly name: Name;
  /** The arguments of a call, with what has to hold between them: the only spelling of them. */
  readonly arguments: Args;
  /** Where the revision that it rests on is read. */
  readonly revision: RevisionSource;
  /** What it makes or changes, and so what its receipt identifies. */
  readonly saved: Saved;
  readonly run: OperationRun;
  /**
   * The mutation that is meant.
   * @param given the arguments as the ledger keeps them, with the id: a file by what it is, not by where it lies
   * @throws ArtworkError `invalid_arguments`
   */
  mutation(given: object): Mutation;
}

/**
 * Which run carries an operation. A plan is what the arguments of a call tell before a file is opened.
 * @throws ArtworkError `invalid_arguments`
 */
type OperationRun =
  | { readonly by: 'request' }
  | { readonly by: 'upload'; plan(given: object): UploadPlan }
  | { readonly by: 'submission'; readonly kind: SubmissionKind; plan(given: object): SubmissionPlan };

/** An upload whose arguments are sound, and whose file was not looked at yet. */
export interface UploadPlan<Declared = Upload> {
  readonly file: string;
  readonly slot: string;
  /** The mutation, once the one file was seen; in an operation's own file the arguments that `meant` parses. */
  declare(files: readonly SeenFile[]): Declared;
}

/** What a file is that was looked at: what is announced of it, and its digest. */
type SeenFile = z.input<typeof declaredFile>;

/** One request without an identity on the wire: only what it changes tells whether it was applied. */
interface FoundByEffect<Meant> {
  readonly run: RequestRun<Meant>;
  readonly find: Told<Meant, 'find'>;
  /** Of what was just created. */
  confirm?(args: Meant, look: LookupContext, savedId: string): Promise<Finding>;
}

/** The same, where that is the record whose revision it rests on: what was meant, beside what the record shows of it. */
interface ReadBack<Meant> {
  readonly run: RequestRun<Meant>;
  readonly find?: undefined;
  compare(args: Meant, record: JsonRecord): readonly Compared[];
}

/** The service keeps a record of it, by which it is found. */
interface FoundByRecord<Meant> {
  readonly run: UploadRun<Meant> | SubmissionRun<Meant>;
  readonly find?: undefined;
  readonly compare?: undefined;
}

interface RequestRun<Meant> {
  readonly by: 'request';
  request(args: Meant): JsonRequest<'assumed' | 'none'>;
}

interface UploadRun<Meant> {
  readonly by: 'upload';
  plan(given: object): UploadPlan<object>;
  request(args: Meant): FileRequest<'documented'>;
  bytes(args: Meant): PlacedBytes;
}

interface SubmissionRun<Meant> {
  readonly by: 'submission';
  readonly kind: SubmissionKind;
  plan(given: object): SubmissionPlan<object>;
  /** The admission. */
  request(args: Meant): JsonRequest<'documented'>;
  /** What follows the admission. */
  items(args: Meant): readonly DeclaredItem[];
}

interface Identified {
  readonly clientMutationId: ClientMutationId;
  readonly expectedUpdatedAt: string | null;
}

/** What an operation's file tells of its arguments becomes a member of the Mutation, which says what each is for. */
type Told<Meant, Member extends keyof Mutation> = Mutation[Member] extends (
  ...rest: infer Rest
) => infer Value
  ? (args: Meant, ...rest: Rest) => Value
  : (args: Meant) => Mutation[Member];

/** What an operation's file says whatever its run: `Meant` is what its arguments mean, once they are parsed. */
interface Described<Meant> {
  readonly name: string;
  /** Where it differs from the arguments of a call: what the ledger keeps of them, parsed and filled in. */
  readonly meant?: z.ZodType<Meant>;
  readonly revision: RevisionSource;
  readonly saved: Saved;
  readonly needed: Told<Meant, 'needed'>;
  readonly target: Told<Meant, 'target'>;
  /** Beside that of its own revision. */
  readonly guards?: Told<Meant, 'guards'>;
  readonly places?: Told<Meant, 'places'>;
  readonly earlier?: Told<Meant, 'earlier'>;
  readonly check?: Told<Meant, 'check'>;
  readonly prepare?: Told<Meant, 'prepare'>;
  readonly publication?: Told<Meant, 'publication'>;
}

/** Closes an operation over the type of its own arguments, so that the table of all has one type. */
export function defineOperation<
  const Name extends string,
  Args extends z.ZodObject,
  Meant extends Identified = z.output<Args> & Identified,
>(
  specification: Described<Meant> &
    (FoundByEffect<Meant> | ReadBack<Meant> | FoundByRecord<Meant>) & {
      readonly name: Name;
      readonly arguments: Args;
    },
): Operation<Name, Args> {
  const { name, revision, saved } = specification;
  const requireRevision = (args: { readonly expectedUpdatedAt?: unknown }) => {
    if (revision({ ...args }).of === 'nothing') requireNoRevision(args.expectedUpdatedAt);
  };
  const meantBy = (given: object): Meant => {
    // Without `meant`, what is meant is the arguments of the call, which the type of `Meant` says too.
    const args = checkArguments(specification.meant ?? specification.arguments, given) as Meant;
    requireRevision(args);
    return args;
  };
  const all = { name, arguments: specification.arguments, revision, saved };
  if (specification.find !== undefined || specification.compare !== undefined) {
    const mutation = (given: object) => requestOf(specification, meantBy(given));
    return { ...all, mutation, run: { by: 'request' } };
  }
  const { run } = specification;
  const planned = <Plan extends { declare(files: readonly SeenFile[]): object }, Made>(
    given: object,
    { declare, ...rest }: Plan,
    mutation: (given: object) => Made,
  ) => {
    requireRevision(given);
    return { ...rest, declare: (files: readonly SeenFile[]) => mutation(declare(files.map(seenOnly))) };
  };
  switch (run.by) {
    case 'upload': {
      const mutation = (given: object) => uploadOf(specification, run, meantBy(given));
      const plan = (given: object) => planned(given, run.plan(given), mutation);
      return { ...all, mutation, run: { by: run.by, plan } };
    }
    case 'submission': {
      const mutation = (given: object) => submissionOf(specification, run, meantBy(given));
      const plan = (given: object) => planned(given, run.plan(given), mutation);
      return { ...all, mutation, run: { by: run.by, kind: run.kind, plan } };
    }
  }
}

function seenOnly({ filename, contentType, contentLength, sha256 }: SeenFile): SeenFile {
  return { filename, contentType, contentLength, sha256 };
}

function requestOf<Meant extends Identified>(
  specification: Described<Meant> & (FoundByEffect<Meant> | ReadBack<Meant>),
  args: Meant,
): SingleRequest {
  const { run } = specification;
  const { again, ...change } = changeOf(specification, args);
  const find = async (look: LookupContext): Promise<Finding> => {
    if (specification.find !== undefined) return specification.find(args, look);
    const [own] = change.guards;
    if (own === undefined) throw new TypeError(`${change.operation} rests on no revision.`);
    return readBackEdit(own, look, (record) => specification.compare(args, record));
  };
  const confirm = specification.find === undefined ? undefined : specification.confirm;
  return {
    ...change,
    by: 'request',
    request: () => run.request(args),
    find,
    async confirm(look, savedId) {
      if (confirm === undefined) return find(look);
      return savedId === null ? null : confirm(args, look, savedId);
    },
    again: () => again,
  };
}

function uploadOf<Meant extends Identified>(
  specification: Described<Meant>,
  run: UploadRun<Meant>,
  args: Meant,
): Upload {
  const { clientMutationId } = args;
  const { again, ...change } = changeOf(specification, args);
  return {
    ...change,
    by: 'upload',
    request: () => run.request(args),
    bytes: run.bytes(args),
    prepare: (owned, deadline) => checkIdIsNew(owned, clientMutationId, deadline),
    find: (look) => findUpload(clientMutationId, look),
    async publication({ owned, deadline }) {
      const finding = await lookUpUpload(owned, clientMutationId, deadline);
      return finding.found === 'nothing' ? null : finding.kept.publicationStatus;
    },
    again(progress) {
      const file = fileInProgress(progress);
      return file === null ? null : { ...again, file };
    },
  };
}

function submissionOf<Meant extends Identified>(
  specification: Described<Meant>,
  run: SubmissionRun<Meant>,
  args: Meant,
): SubmissionOfFiles {
  const declared = { kind: run.kind, items: run.items(args) };
  return {
    ...changeOf(specification, args),
    by: 'submission',
    request: () => run.request(args),
    declared,
    find: (look) => lookUpSubmission(declared, args.clientMutationId, look),
    again: () => null,
  };
}

/** What every mutation has. `again`: the arguments of the call that makes it, but for its files. */
function changeOf<Meant extends Identified>(specification: Described<Meant>, args: Meant) {
  const { name: operation, revision, saved } = specification;
  const { clientMutationId, expectedUpdatedAt } = args;
  const intent = intentOf(args);
  return {
    operation,
    clientMutationId,
    expectedUpdatedAt,
    target: specification.target(args),
    intent,
    needed: specification.needed(args),
    guards: [
      ...guardsOfRevision(revision(intent), expectedUpdatedAt),
      ...(specification.guards?.(args) ?? []),
    ],
    saved,
    places: specification.places?.(args) ?? [],
    again: { ...intent, clientMutationId },
    earlier: (records: ReadRecords) => specification.earlier?.(args, records) ?? {},
    check: async (seen: CheckContext) => (await specification.check?.(args, seen)) ?? [],
    prepare: async (owned: OwnedReads, deadline: Deadline) => specification.prepare?.(args, owned, deadline),
    publication: async (look: Pick<LookupContext, 'owned' | 'deadline'>) =>
      (await specification.publication?.(args, look)) ?? null,
  };
}

/** A submission whose arguments are sound, and whose files are not inspected yet. */
export interface SubmissionPlan<Declared = SubmissionOfFiles> {
  /** What all its pictures belong to, where that is known. */
  readonly entry: EntityTarget | null;
  readonly places: readonly RequestedPlace[];
  readonly files: readonly GivenFile[];
  /** As that of an upload, once the files were seen: one for each of `files`, in their order. */
  declare(files: readonly SeenFile[]): Declared;
}

/** What a file was when the call was planned. */
export interface PlannedFile extends Omit<InspectedFile, 'path' | 'warnings'> {
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
  /** The frame that is to be chosen for its preview, from 0; null: none. */
  readonly frame: number | null;
  /** What it is to be announced as; left out: its own name, as far as a header can carry it. */
  readonly filename?: string | undefined;
  /** Where it stands in the arguments. */
  readonly at: readonly string[];
  /** What it still has to be; left out: it may be anything. */
  readonly planned?: PlannedFile | undefined;
}

/** A file of a call that was looked at, and closed again. */
export type InspectedFile = Omit<UploadSource, 'body' | 'close'>;

/** What the files of a call were when it was planned: others are not sent. */
export interface PlannedFiles {
  /** One for each item with a file, in the order of the call; null: that one was not planned. */
  readonly files: readonly (PlannedFile | null)[];
  /** What makes the plan anew. */
  readonly again: Next;
  /** What the plan leaves out, to be told with the outcome. */
  readonly warnings: readonly Warning[];
}

/** What a resume of an upload needs: where the file lies, and on which machine if several share the store. */
export function progressOfFile(path: string, machine?: string): Json {
  return machine === undefined ? { file: path } : { file: path, machine };
}

/** Where the file of an upload lies, as its progress in the ledger says; null where it does not. */
export function fileInProgress(progress: Json): string | null {
  return readNote(progress).file ?? null;
}
