import { z } from 'zod';
import { clientMutationId as idOfMutation, submissionId } from '../catalogue/requests/fields.ts';
import { checkArguments, guarded } from './operations/arguments.ts';
import { ArtworkError } from '../errors.ts';
import { openAccountLedger, openSession } from './session.ts';
import { createBackground } from './background.ts';
import { startCallClock } from './call-clock.ts';
import type { MutationCall, Mutations } from './mutations.ts';
import { listKnownBytes } from './calls/known-bytes.ts';
import {
  abandonMutation,
  countOpenMutations,
  countOwnOpenMutations,
  listAllMutations,
  listOwnMutations,
} from './calls/list-mutations.ts';
import { withMutationId } from './mutation-error.ts';
import { findOperation } from './operations/find-operation.ts';
import { jsonOutgoing } from './before-claim/outgoing.ts';
import { performMutation } from './calls/perform.ts';
import type { MutationPorts } from './ports.ts';
import { resumeById } from './calls/resume.ts';
import { createSizeLimit, type FileSource } from './file-source.ts';
import { statusOfMutation } from './calls/status.ts';
import { statusOfForeignSubmission } from './calls/status-of-foreign-submission.ts';
import { createPreparing } from './calls/preparing.ts';
import { performSubmission, type Submitting } from './calls/perform-submission.ts';
import { openUploadOutgoing, refuseUploadFile } from './delivery/open-upload.ts';

/**
 * The mutations of this process, as `Mutations` says. Nothing here touches the network or the disk: that waits for
 * the call that needs it.
 */
export function createMutations(ports: MutationPorts): Mutations {
  const background = createBackground(ports.clock, ports.log);
  const open = (call: MutationCall | undefined) =>
    openSession({ ports, background }, startCallClock(ports.clock, call));

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
  const submitting = (call: MutationCall | undefined): Submitting => ({
    source: source(call),
    preparing,
    planned: call?.planned ?? null,
  });

  return {
    perform: (name, args, call) =>
      named(args.clientMutationId, async () => {
        const operation = findOperation(name);
        if (operation === null) throw new TypeError(`There is no operation ${name}.`);
        const { strategy } = operation;
        const { dryRun = false, ...given } = args;
        switch (strategy.by) {
          case 'request': {
            const outgoing = jsonOutgoing(operation.mutation(given));
            return performMutation(await open(call), outgoing, dryRun);
          }
          case 'upload': {
            const time = startCallClock(ports.clock, call);
            const opening = openUploadOutgoing(source(call), strategy.plan(given), time);
            const outgoing = await opening.catch((error) =>
              refuseUploadFile(ports, args.clientMutationId, error),
            );
            return performMutation(await openSession({ ports, background }, time), outgoing, dryRun);
          }
          case 'batch': {
            const plan = strategy.plan(given);
            const clientMutationId = checkArguments(idOfMutation, args.clientMutationId);
            const submitted = { clientMutationId, operation: name, plan, given, dryRun };
            return performSubmission(await open(call), submitting(call), submitted);
          }
        }
      }),
    status: (id, call, page) =>
      named(id, async () => {
        const known = checkArguments(idOfMutation, id);
        const session = await open(call);
        try {
          return await statusOfMutation(session, known, page);
        } catch (error) {
          const unknown = error instanceof ArtworkError && error.category === 'not_found';
          const prepared = unknown ? preparing.ask(id, session.time) : null;
          if (prepared === null) throw error;
          return await prepared;
        }
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
        return resumeById(await open(call), resumed, source(call));
      }),
    list: (filter) => listOwnMutations(ports, filter),
    countOpen: () => countOwnOpenMutations(ports),
    listForPerson: (filter) => listAllMutations(ports, filter),
    countOpenForPerson: () => countOpenMutations(ports),
    abandon: (id) => abandonMutation(ports, id),
    async isKnown(id) {
      const account = await openAccountLedger(ports).catch(unlessNotConnected);
      return account !== null && (await account.ledger.read(account.scope, id)) !== null;
    },
    knownBytes: () => listKnownBytes(ports),
    maxFileBytes: () => limit.known().catch(unlessNotConnected),
    close: () => background.close(),
  };
}

/** Without a connection nothing is known. */
function unlessNotConnected(error: unknown): null {
  if (!(error instanceof ArtworkError)) throw error;
  if (error.category === 'not_connected' || error.category === 'reconnect_required') return null;
  throw error;
}
