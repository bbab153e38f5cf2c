import { z } from 'zod';
import { clientMutationId as idOfMutation, submissionId } from '../catalogue/requests/fields.ts';
import { checked, guarded } from './operations/checked.ts';
import { ArtworkError } from '../errors.ts';
import { openAccount, openSession } from './session.ts';
import { createBackground } from './background.ts';
import { startCall } from './call-clock.ts';
import type { MutationCall } from './mutations.ts';
import { knownBytes } from './calls/known-bytes.ts';
import { abandonMutation, countOpen, countOwnOpen, listAll, listOwn } from './calls/list.ts';
import { naming } from './mutation-error.ts';
import type { Mutations } from './mutations.ts';
import { operationNamed } from './operations/named.ts';
import { jsonOutgoing } from './before-claim/outgoing.ts';
import { perform } from './calls/perform.ts';
import type { MutationPorts } from './ports.ts';
import { resume } from './calls/resume.ts';
import { createSizeLimit } from './size-limit.ts';
import { statusOf } from './calls/status.ts';
import { submissionElsewhere } from './calls/foreign-submission.ts';
import { createPreparing } from './calls/preparing.ts';
import { submit, type Submitting } from './calls/submit.ts';
import { openUploadOutgoing, refuseFile } from './delivery/upload.ts';
import type { FileSource } from './file-source.ts';

/** See `Mutations`. Nothing here touches the network or the disk: that waits for the call that needs it. */
export function createMutations(ports: MutationPorts): Mutations {
  const background = createBackground(ports.clock, ports.log);
  const open = (call: MutationCall | undefined) =>
    openSession({ ports, background }, startCall(ports.clock, call));

  const limit = createSizeLimit(ports);
  /** The error of a call says which mutation it was about. */
  const named = async <Value>(id: string, work: () => Promise<Value>): Promise<Value> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ArtworkError) limit.learn(error);
      throw naming(id, error);
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
        const operation = operationNamed(name);
        if (operation === null) throw new TypeError(`There is no operation ${name}.`);
        const { strategy } = operation;
        const { dryRun = false, ...given } = args;
        switch (strategy.by) {
          case 'request': {
            const outgoing = jsonOutgoing(operation.mutation(given));
            return perform(await open(call), outgoing, dryRun);
          }
          case 'upload': {
            const time = startCall(ports.clock, call);
            const opening = openUploadOutgoing(source(call), strategy.plan(given), time);
            const outgoing = await opening.catch((error) => refuseFile(ports, args.clientMutationId, error));
            return perform(await openSession({ ports, background }, time), outgoing, dryRun);
          }
          case 'batch': {
            const plan = strategy.plan(given);
            const clientMutationId = checked(idOfMutation, args.clientMutationId);
            const submitted = { clientMutationId, operation: name, plan, given, dryRun };
            return submit(await open(call), submitting(call), submitted);
          }
        }
      }),
    status: (id, call, page) =>
      named(id, async () => {
        const known = checked(idOfMutation, id);
        const session = await open(call);
        try {
          return await statusOf(session, known, page);
        } catch (error) {
          const unknown = error instanceof ArtworkError && error.category === 'not_found';
          const prepared = unknown ? preparing.ask(id, session.time) : null;
          if (prepared === null) throw error;
          return await prepared;
        }
      }),
    submissionStatus: async (asked, call, page) =>
      submissionElsewhere(
        await open(call),
        { ...asked, submissionId: checked(submissionId, asked.submissionId) },
        page,
      ),
    resume: (args, call) =>
      named(args.clientMutationId, async () => {
        const resumed = { ...checked(z.object(guarded), args), dryRun: args.dryRun };
        return resume(await open(call), resumed, source(call));
      }),
    list: (filter) => listOwn(ports, filter),
    countOpen: () => countOwnOpen(ports),
    listForPerson: (filter) => listAll(ports, filter),
    countOpenForPerson: () => countOpen(ports),
    abandon: (id) => abandonMutation(ports, id),
    async isKnown(id) {
      const account = await openAccount(ports).catch(unlessNotConnected);
      return account !== null && (await account.ledger.read(account.scope, id)) !== null;
    },
    knownBytes: () => knownBytes(ports),
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
