import { z } from 'zod';
import type { Json } from '../../canonical-json.ts';
import type { NeededScopes } from '../../catalogue/authorization.ts';
import type { Saved } from '../../catalogue/records/owned.ts';
import type { ClientMutationId, FileRequest, JsonRequest } from '../../catalogue/request.ts';
import type { SubmissionKind } from '../../catalogue/submission.ts';
import type { Deadline } from '../../deadline.ts';
import type { Next } from '../../errors.ts';
import type { Guard } from '../before/guard.ts';
import type { Objection } from '../before/objection.ts';
import type { CheckContext, ReadRecords } from '../before/shown-records.ts';
import type { EntryTarget, RequestedPlace } from '../before/targets.ts';
import type { Finding, Warning } from '../finding.ts';
import type { Earlier, LookupContext, Mutation, MutationPlace, PlacedBytes } from '../mutation.ts';
import type { OwnedReads, UploadSource } from '../ports.ts';
import type { Declared, declaredFile } from '../submission.ts';
import { checkArguments, intentOf, type RevisionSource, requireNoRevision } from './arguments.ts';

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
export interface UploadPlan {
  readonly file: string;
  readonly slot: string;
  /** The mutation, once the one file was seen. */
  declare(files: readonly SeenFile[]): Mutation;
}

/** What a file is that was looked at: what is announced of it, and its digest. */
type SeenFile = z.input<typeof declaredFile>;

/** The run of an operation, with its requests. The files of a call declared are arguments that `meant` parses. */
type SpecifiedRun<Meant> =
  | { readonly by: 'request'; request(args: Meant): JsonRequest<'assumed' | 'none'> }
  | {
      readonly by: 'upload';
      plan(given: object): Omit<UploadPlan, 'declare'> & Declaring;
      request(args: Meant): FileRequest<'documented'>;
      bytes(args: Meant): PlacedBytes;
    }
  | {
      readonly by: 'submission';
      readonly kind: SubmissionKind;
      plan(given: object): Omit<SubmissionPlan, 'declare'> & Declaring;
      /** The admission. */
      request(args: Meant): JsonRequest<'documented'>;
      /** What follows the admission. */
      declared(args: Meant): Declared;
    };

interface Declaring {
  /** @param files one for each file of the plan, in their order */
  declare(files: readonly SeenFile[]): object;
}

interface Identified {
  readonly clientMutationId: ClientMutationId;
  readonly expectedUpdatedAt: string | null;
}

/** An operation as its own file defines it: `Meant` is what its arguments mean, once they are parsed. */
interface Specification<Name extends string, Args extends z.ZodObject, Meant extends Identified> {
  readonly name: Name;
  readonly arguments: Args;
  /** Where it differs from the arguments of a call: what the ledger keeps of them, parsed and filled in. */
  readonly meant?: z.ZodType<Meant>;
  readonly run: SpecifiedRun<Meant>;
  readonly revision: RevisionSource;
  readonly saved: Saved;
  // What follows becomes the members of the Mutation, which says what each is for.
  needed(args: Meant): NeededScopes;
  target(args: Meant): Mutation['target'];
  guards(args: Meant): readonly Guard[];
  places?(args: Meant): readonly MutationPlace[];
  earlier?(args: Meant, records: ReadRecords): Earlier;
  instead?(args: Meant): Next | null;
  check?(args: Meant, seen: CheckContext): Promise<readonly Objection[]>;
  prepare?(args: Meant, owned: OwnedReads, deadline: Deadline): Promise<Json>;
  find(args: Meant, look: LookupContext): Promise<Finding>;
  /** Of what was just created. */
  confirm?(args: Meant, look: LookupContext, savedId: string): Promise<Finding>;
  publication?(args: Meant, look: Pick<LookupContext, 'owned' | 'deadline'>): Promise<string | null>;
}

/** Closes an operation over the type of its own arguments, so that the table of all has one type. */
export function defineOperation<
  const Name extends string,
  Args extends z.ZodObject,
  Meant extends Identified = z.output<Args> & Identified,
>(specification: Specification<Name, Args, Meant>): Operation<Name, Args> {
  const { name, revision, saved } = specification;
  const requireRevision = (args: { readonly expectedUpdatedAt?: unknown }) => {
    if (revision({ ...args }).of === 'nothing') requireNoRevision(args.expectedUpdatedAt);
  };
  const mutation = (given: object): Mutation => {
    // Without `meant`, what is meant is the arguments of the call, which the type of `Meant` says too.
    const args = checkArguments(specification.meant ?? specification.arguments, given) as Meant;
    requireRevision(args);
    return mutationOf(specification, args);
  };
  const planned = <Plan extends Declaring>(plan: (given: object) => Plan, given: object) => {
    const { declare, ...rest } = plan(given);
    requireRevision(given);
    return { ...rest, declare: (files: readonly SeenFile[]) => mutation(declare(files.map(seenOnly))) };
  };
  return { name, arguments: specification.arguments, revision, saved, mutation, run: run() };

  function run(): OperationRun {
    const specified = specification.run;
    switch (specified.by) {
      case 'request':
        return { by: 'request' };
      case 'upload':
        return { by: 'upload', plan: (given) => planned(specified.plan, given) };
      case 'submission':
        return {
          by: 'submission',
          kind: specified.kind,
          plan: (given) => planned(specified.plan, given),
        };
    }
  }
}

function seenOnly({ filename, contentType, contentLength, sha256 }: SeenFile): SeenFile {
  return { filename, contentType, contentLength, sha256 };
}

function mutationOf<Meant extends Identified>(
  specification: Specification<string, z.ZodObject, Meant>,
  args: Meant,
): Mutation {
  const { name: operation, run, saved } = specification;
  const { clientMutationId, expectedUpdatedAt } = args;
  const intent = intentOf(args);
  const again = (given: object) => ({ ...intent, clientMutationId, ...given });
  const all = {
    operation,
    clientMutationId,
    expectedUpdatedAt,
    target: specification.target(args),
    intent,
    needed: specification.needed(args),
    guards: specification.guards(args),
    saved,
    places: specification.places?.(args) ?? [],
    earlier: (records: ReadRecords) => specification.earlier?.(args, records) ?? {},
    instead: specification.instead?.(args) ?? null,
    check: async (seen: CheckContext) => (await specification.check?.(args, seen)) ?? [],
    prepare: async (owned: OwnedReads, deadline: Deadline) => specification.prepare?.(args, owned, deadline),
    find: (look: LookupContext) => specification.find(args, look),
    async confirm(look: LookupContext, savedId: string | null) {
      if (specification.confirm === undefined) return specification.find(args, look);
      return savedId === null ? null : specification.confirm(args, look, savedId);
    },
    publication: async (look: Pick<LookupContext, 'owned' | 'deadline'>) =>
      (await specification.publication?.(args, look)) ?? null,
  };
  switch (run.by) {
    case 'request':
      return { ...all, by: 'request', request: () => run.request(args), again: () => again({}) };
    case 'upload':
      return {
        ...all,
        by: 'upload',
        request: () => run.request(args),
        bytes: run.bytes(args),
        again(progress) {
          const file = fileInProgress(progress);
          return file === null ? null : again({ file });
        },
      };
    case 'submission':
      return {
        ...all,
        by: 'submission',
        request: () => run.request(args),
        declared: run.declared(args),
        again: () => null,
      };
  }
}

/** A submission whose arguments are sound, and whose files are not inspected yet. */
export interface SubmissionPlan {
  /** What all its pictures belong to, where that is known. */
  readonly entry: EntryTarget | null;
  readonly places: readonly RequestedPlace[];
  readonly files: readonly GivenFile[];
  /** The mutation, once the files were seen: one for each of `files`, in their order. */
  declare(files: readonly SeenFile[]): Mutation;
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

const fileNote = z.looseObject({ file: z.string() });
const sharedNote = z.looseObject({ machine: z.string(), contentLength: z.int() });

/** Where several machines share the store: which of them a file lies on, and how long it is, in bytes. */
export type SharedNote = Pick<z.output<typeof sharedNote>, 'machine' | 'contentLength'>;

/** What a resume of an upload needs: where the file lies. */
export function progressOfFile(path: string, shared: SharedNote | null = null): Json {
  return { file: path, ...shared };
}

/** Null: the store is one machine's. */
export function sharedInProgress(progress: Json): SharedNote | null {
  return sharedNote.safeParse(progress).data ?? null;
}

/** Where the file of an upload lies, as its progress in the ledger says; null where it does not. */
export function fileInProgress(progress: Json): string | null {
  const parsed = fileNote.safeParse(progress);
  return parsed.success ? parsed.data.file : null;
}
