import { clientMutationId, submissionId } from '../catalogue/request.ts';
import type { SubmissionKind } from '../catalogue/submission.ts';
import { callBudgetMs, deadlineIn } from '../deadline.ts';
import { ArtworkError } from '../errors.ts';
import type { ListFilter } from '../ledger/ledger.ts';
import { mayClaimAgain } from '../ledger/rows.ts';
import { describe, describePreparing } from './answer/describe.ts';
import { firstItems } from './answer/items.ts';
import { listed, listKnownBytes, pageOfMutations } from './answer/list.ts';
import {
  type ItemPage,
  type ListedMutation,
  MutationError,
  type MutationPage,
  type MutationResult,
  withMutationId,
} from './answer/result.ts';
import { type SubmissionReport, statusOf, statusOfSubmission } from './answer/status.ts';
import { createSweep, type FileSource, openUpload, type PlannedFiles, readFiles } from './before/files.ts';
import { isUnsent, type Made, performMade, withKnown } from './before/perform.ts';
import { createPreparing } from './before/preparing.ts';
import { resumeById } from './before/resume.ts';
import { openSession, type Session } from './before/session.ts';
import type { Caller } from './caller.ts';
import type { Warning } from './change.ts';
import { checkArguments } from './operations/arguments.ts';
import { findOperation, type Guarded, type OperationName } from './operations/index.ts';
import type { Called, Operation } from './operations/operation.ts';
import type { MutationPorts } from './ports.ts';
import { createRunner } from './run/runner.ts';

/** What one call brings along. */
export interface MutationCall extends Partial<Caller> {
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
  /**
   * Makes the change that an operation stands for.
   * @param args those that the operation defines, which checks them
   */
  perform(
    name: OperationName,
    args: Guarded & Readonly<Record<string, unknown>>,
    call?: MutationCall,
  ): Promise<MutationResult>;
  /** What is known of a change; asks the service and waits up to 40 s for news. Of a submission, a page of its items. */
  status(clientMutationId: string, call?: MutationCall, page?: StatusPage): Promise<MutationResult>;
  /** What the service says of a submission, by its own id, also of another machine's; writes nothing down. */
  submissionStatus(
    asked: { readonly submissionId: string; readonly kind: SubmissionKind },
    call?: MutationCall,
    page?: StatusPage,
  ): Promise<SubmissionReport>;
  /** Goes on with what was interrupted, under its first identity. */
  resume(args: Guarded, call?: MutationCall): Promise<MutationResult>;

  /** The changes of this user, newest first; of another account's only that there is one. */
  list(filter: ListFilter): Promise<MutationPage>;
  /** For a person at this machine: whole, whichever account they are of, and without a connection. */
  listForPerson(filter: ListFilter): Promise<MutationPage>;
  /** How many of these are neither ended nor given up. */
  countOpen(): Promise<number>;
  /** A person's word: it is no longer open, and its kept bytes are freed; its claim stands. @throws not_found */
  abandon(clientMutationId: string): Promise<ListedMutation>;

  /** The digest of the bytes of the account's Assets by their id in lower case, as far as the ledger surely knows it. */
  knownBytes(): Promise<ReadonlyMap<string, string>>;
  /** Ends what goes on in the background and records what is known of it. */
  close(): Promise<void>;
}

/**
 * The changes of this process, as `Mutations` says. Nothing here touches the network or the disk: that waits for the call
 * that needs it.
 */
export function createMutations(ports: MutationPorts): Mutations {
  const runner = createRunner(ports);
  const sweep = createSweep(ports);
  const preparing = createPreparing<MutationResult>(ports.clock, ({ outcome }) => outcome === 'dry_run');

  const open = ({ deadline, progress = () => undefined }: MutationCall = {}) =>
    openSession(ports, runner, {
      deadline: deadline ?? deadlineIn(callBudgetMs, undefined, ports.clock),
      progress,
    });
  const userScope = async () => ({ service: (await ports.service()).baseUrl, user: ports.user });
  const accountScope = async () => (await open()).scope;

  /** The error of a call says which change it was about. */
  const named = async <Value>(id: string, work: () => Promise<Value>): Promise<Value> => {
    try {
      return await work();
    } catch (error) {
      throw withMutationId(id, error);
    }
  };

  const performCalled = async (
    session: Session,
    operation: Operation,
    called: Called,
    args: Guarded,
    call: MutationCall,
  ): Promise<MutationResult> => {
    const { dryRun = false } = args;
    const warnings = call.warnings ?? [];
    if (operation.sends === 'json') {
      const made = { change: called.meant([]), source: null, keeper: null, warnings };
      return performMade(session, made, dryRun);
    }
    const { caller, scope, service, ledger } = session;
    const source: FileSource = { roots: call.roots ?? [], planned: call.planned ?? null };
    const answer = await preparing.perform(
      { id: called.id, account: scope, args, caller },
      async (untimed) => {
        const whole = { ...session, caller: untimed };
        const made = await readMade(whole, operation, called, source, dryRun);
        return performMade(whole, { ...made, warnings: [...made.warnings, ...warnings] }, dryRun, caller);
      },
    );
    if (answer !== null) return answer;
    const record = await ledger.read(scope, called.id);
    return record === null || isUnsent(record.row)
      ? describePreparing(service, called.id)
      : describe(session, record);
  };

  /** The files of a call, read: the one of an upload stays open, those of a submission are copied. */
  const readMade = async (
    session: Session,
    { sends }: Operation,
    called: Called,
    source: FileSource,
    dryRun: boolean,
  ): Promise<Made> => {
    const { ledger, scope } = session;
    let keeper: string | null = null;
    try {
      if (sends === 'file') {
        const [file] = called.files;
        if (file === undefined) throw new TypeError('An upload names a file.');
        const opened = await openUpload(session, source, file);
        return { change: called.meant([opened]), source: opened, keeper, warnings: opened.warnings };
      }
      const known = await ledger.row(scope, called.id);
      const isNew = !dryRun && (known === null || isUnsent(known));
      if (isNew && called.files.length > 0) keeper = ports.copies.newOwner();
      if (keeper !== null) await sweep();
      const read = await readFiles(session, source, called.files, keeper);
      return { change: called.meant(read.declared), source: null, keeper, warnings: read.warnings };
    } catch (error) {
      if (keeper !== null) await ports.copies.release(keeper);
      if (error instanceof ArtworkError) throw await withKnown(session, called.id, error);
      throw error;
    }
  };

  return {
    perform: (name, args, call = {}) =>
      named(args.clientMutationId, async () => {
        const operation = findOperation(name);
        if (operation === null) throw new TypeError(`There is no operation ${name}.`);
        const { dryRun: _, ...given } = args;
        const called = operation.called(given);
        return performCalled(await open(call), operation, called, args, call);
      }),
    status: (given, call, page) =>
      named(given, async () => {
        const id = checkArguments(clientMutationId, given);
        const session = await open(call);
        const { ledger, scope, caller } = session;
        const record = await ledger.read(scope, id);
        if (record === null || isUnsent(record.row)) {
          const asked = preparing.ask(id, scope, caller);
          if (asked !== undefined) return (await asked) ?? describePreparing(session.service, id);
        }
        return statusOf(session, id, record, page);
      }),
    submissionStatus: async ({ submissionId: given, kind }, call, page = { ...firstItems, receipt: false }) =>
      statusOfSubmission(await open(call), { submissionId: checkArguments(submissionId, given), kind }, page),
    resume: (args, call = {}) =>
      named(args.clientMutationId, async () =>
        resumeById(await open(call), args, { roots: call.roots ?? [] }),
      ),
    list: async (filter) => pageOfMutations(await ports.ledger(), await accountScope(), filter),
    countOpen: async () => (await ports.ledger()).countOpen(await userScope()),
    listForPerson: async (filter) => pageOfMutations(await ports.ledger(), await userScope(), filter),
    async abandon(given) {
      const id = checkArguments(clientMutationId, given);
      const user = await userScope();
      const ledger = await ports.ledger();
      await ledger.abandon(user, id);
      const record = await ledger.read(user, id);
      if (record === null) {
        const message = `No change of this user has the id ${id}.`;
        throw new MutationError('not_found', message, { clientMutationId: id });
      }
      const { row, body } = record;
      // What ended unsent before may be claimed once more, and what was claimed only now is another call's.
      const isOver = row.abandonedAt !== null || (row.state === 'settled' && !mayClaimAgain(row));
      if (isOver && body.keeper !== null) await ports.copies.release(body.keeper);
      return listed(record, user);
    },
    knownBytes: async () => listKnownBytes(await ports.ledger(), await accountScope()),
    async close() {
      await Promise.all([preparing.close(), runner.close()]);
    },
  };
}
