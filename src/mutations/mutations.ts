import { z } from 'zod';
import { clientMutationId as idOfMutation, submissionId } from '../catalogue/request.ts';
import { ArtworkError } from '../errors.ts';
import {
  abandonMutation,
  type KnownBytes,
  type ListedMutation,
  type ListMutations,
  listKnownBytes,
  type MutationPage,
  openUserLedger,
  pageOfMutations,
} from './list-mutations.ts';
import {
  type AskedSubmission,
  type SubmissionReport,
  statusOfForeignSubmission,
} from './answer/elsewhere.ts';
import { statusOfMutation } from './answer/status.ts';
import { performMutation } from './before/perform.ts';
import { performSubmission } from './before/perform-submission.ts';
import { createPreparing } from './before/preparing.ts';
import { resumeById } from './before/resume.ts';
import type { Warning } from './finding.ts';
import { checkArguments, guarded } from './operations/arguments.ts';
import {
  type Arguments,
  findOperation,
  type Guarded,
  type OperationName,
} from './operations/find-operation.ts';
import { type PendingChange, pendingChangesOf } from './pending.ts';
import type { PlannedFiles } from './operations/operation.ts';
import type { MutationPorts } from './ports.ts';
import { type ItemPage, type MutationResult, withMutationId } from './result.ts';
import { createBackground } from './run/background.ts';
import { openAccountLedger, openSession } from './account.ts';
import { type CallOptions, callerOf } from './caller.ts';
import {
  createSizeLimit,
  type FileSource,
  openUpload,
  refuseUploadFile,
  withoutFile,
} from './before/upload-files.ts';

/** What one call brings along. */
export interface MutationCall extends CallOptions {
  /** Folders that the host offers files from, beside those of the settings. */
  readonly roots?: readonly string[] | undefined;
  /** Of an upload: what its caller points out, beside what is found here. */
  readonly warnings?: readonly Warning[] | undefined;
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

  /** What of the account's own is not settled, or was not public when it ended, on Sets, groups, entities or Assets. */
  pendingOn(things: Parameters<typeof pendingChangesOf>[1]): Promise<readonly PendingChange[]>;
  /** Whether this machine's ledger has a mutation of the connected account under this id. */
  isKnown(clientMutationId: string): Promise<boolean>;
  /** The most bytes that the service has said it takes; null where it has not, or no account is connected. */
  maxFileBytes(): Promise<number | null>;
  /** What this machine's ledger surely knows of the bytes of the connected account's Assets. */
  knownBytes(): Promise<KnownBytes>;

  /** Ends what goes on in the background and records what is known of it. */
  close(): Promise<void>;
}

/**
 * The mutations of this process, as `Mutations` says. Nothing here touches the network or the disk: that waits for
 * the call that needs it.
 */
export function createMutations(ports: MutationPorts): Mutations {
  const background = createBackground(ports.clock, ports.log);
  const open = (call: MutationCall | undefined) =>
    openSession({ ports, background }, callerOf(call, ports.clock));

  /** The ids of changes that public reads were seen to show since they ended. */
  const seenPublic = new Set<string>();
  const limit = createSizeLimit(ports);
  /** The error of a call says which mutation it was about. */
  const named = async <Value>(id: string, work: () => Promise<Value>): Promise<Value> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ArtworkError) limit.learn(error);
      throw withMutationId(id, error);
    }
  };
  const source = (call: MutationCall | undefined): FileSource => ({
    files: ports.files,
    roots: call?.roots ?? [],
    limit,
  });
  const preparing = createPreparing(ports.clock);

  return {
    perform: (name, args, call) =>
      named(args.clientMutationId, async () => {
        const operation = findOperation(name);
        if (operation === null) throw new TypeError(`There is no operation ${name}.`);
        const { run } = operation;
        const { dryRun = false, ...given } = args;
        switch (run.by) {
          case 'request':
            return performMutation(await open(call), withoutFile(operation.mutation(given)), dryRun);
          case 'upload': {
            const plan = run.plan(given);
            const clientMutationId = checkArguments(idOfMutation, args.clientMutationId);
            const begun = { clientMutationId, operation: name, dryRun, paged: false };
            return preparing.perform(await open(call), begun, async (session, signals) => {
              const upload = await openUpload(source(call), plan, session).catch((error) =>
                refuseUploadFile(ports, clientMutationId, error),
              );
              const warnings = [...upload.warnings, ...(call?.warnings ?? [])];
              return performMutation(session, { ...upload, warnings }, dryRun, signals);
            });
          }
          case 'submission': {
            const plan = run.plan(given);
            const clientMutationId = checkArguments(idOfMutation, args.clientMutationId);
            const planned = call?.planned ?? null;
            const submitted = { clientMutationId, operation: name, plan, planned, given, dryRun };
            return performSubmission(await open(call), source(call), preparing, submitted);
          }
        }
      }),
    status: (id, call, page) =>
      named(id, async () => {
        const known = checkArguments(idOfMutation, id);
        const result = await statusOfMutation(await open(call), preparing, known, page);
        if (result.publicationStatus !== undefined && result.publicationStatus !== 'pending')
          seenPublic.add(known);
        return result;
      }),
    submissionStatus: async (asked, call, page) =>
      statusOfForeignSubmission(
        await open(call),
        { ...asked, submissionId: checkArguments(submissionId, asked.submissionId) },
        page,
      ),
    resume: (args, call) =>
      named(args.clientMutationId, async () => {
        const resumed = { ...checkArguments(z.object(guarded), args), dryRun: args.dryRun };
        return resumeById(await open(call), resumed, source(call), preparing);
      }),
    list: async (filter) => pageOfMutations(await openAccountLedger(ports), filter),
    countOpen: async () => countOpen(await openAccountLedger(ports)),
    listForPerson: async (filter) => pageOfMutations(await openUserLedger(ports), filter),
    countOpenForPerson: async () => countOpen(await openUserLedger(ports)),
    abandon: (id) => abandonMutation(ports, id),
    pendingOn: (things) => pendingChangesOf(ports, things, (id) => seenPublic.has(id)),
    async isKnown(id) {
      const account = await openAccountLedger(ports).catch(unlessNotConnected);
      return account !== null && (await account.ledger.read(account.scope, id)) !== null;
    },
    knownBytes: () => listKnownBytes(ports),
    maxFileBytes: () => limit.known().catch(unlessNotConnected),
    close: () => background.close(),
  };
}

function countOpen({ ledger, scope }: Awaited<ReturnType<typeof openUserLedger>>): Promise<number> {
  return ledger.countOpen(scope);
}

/** Without a connection nothing is known. */
function unlessNotConnected(error: unknown): null {
  if (!(error instanceof ArtworkError)) throw error;
  if (error.category === 'not_connected' || error.category === 'reconnect_required') return null;
  throw error;
}
