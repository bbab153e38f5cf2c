import { z } from 'zod';
import { clientMutationId as idOfMutation, submissionId } from '../catalogue/requests/fields.ts';
import { checked, guarded } from './operations/checked.ts';
import type { OperationName } from './operation-names.ts';
import type { SubmissionPlan } from './operations/submission-plan.ts';
import { ArtworkError } from '../errors.ts';
import { openAccount, openSession } from './session.ts';
import { createBackground } from './background.ts';
import { startCall } from './call-clock.ts';
import type { MutationCall } from './mutations.ts';
import { knownBytes } from './calls/known-bytes.ts';
import { abandonMutation, countOpen, countOwnOpen, listAll, listOwn } from './calls/list.ts';
import type { Mutation } from './mutation.ts';
import { naming } from './mutation-error.ts';
import type { Mutations } from './mutations.ts';
import type { Guarded } from './arguments.ts';
import { assignGroupingAssets } from './operations/assign-grouping-assets.ts';
import { changeRelationship } from './operations/change-relationship.ts';
import { createGroup } from './operations/create-group.ts';
import { createGroupingSet } from './operations/create-grouping-set.ts';
import { planMediaSet } from './operations/create-media-set.ts';
import { editAssetMetadata } from './operations/edit-asset-metadata.ts';
import { editGroup } from './operations/edit-group.ts';
import { planSetEdit } from './operations/edit-set.ts';
import { selectPreviewFrame } from './operations/select-preview-frame.ts';
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
  /** Whatever stops a call, it says which mutation it was about. */
  const named = async <Value>(id: string, work: () => Promise<Value>): Promise<Value> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ArtworkError) limit.learn(error);
      throw naming(id, error);
    }
  };
  const json =
    (make: (given: object) => Mutation) =>
    (args: Pick<Guarded, 'clientMutationId' | 'dryRun'>, call?: MutationCall) =>
      named(args.clientMutationId, async () => {
        const { dryRun, ...meant } = args;
        const outgoing = jsonOutgoing(make(meant));
        return perform(await open(call), outgoing, dryRun === true);
      });

  const source = (call: MutationCall | undefined): FileSource => ({
    files: ports.files,
    roots: call?.roots ?? [],
    limit,
  });
  const preparing = createPreparing(ports.clock);
  const begin = async (
    operation: OperationName,
    planOf: (given: object) => SubmissionPlan,
    args: Pick<Guarded, 'clientMutationId' | 'dryRun'>,
    call: MutationCall | undefined,
  ) => {
    const { dryRun = false, ...given } = args;
    const plan = planOf(given);
    const clientMutationId = checked(idOfMutation, args.clientMutationId);
    return submit(await open(call), submitting(call), { clientMutationId, operation, plan, given, dryRun });
  };
  const submitting = (call: MutationCall | undefined): Submitting => ({
    source: source(call),
    preparing,
    planned: call?.planned ?? null,
  });

  return {
    uploadAsset: (args, call) =>
      named(args.clientMutationId, async () => {
        const { dryRun, ...meant } = args;
        const time = startCall(ports.clock, call);
        const opening = openUploadOutgoing(source(call), meant, time);
        const outgoing = await opening.catch((error) => refuseFile(ports, meant.clientMutationId, error));
        return perform(await openSession({ ports, background }, time), outgoing, dryRun === true);
      }),
    editAssetMetadata: json(editAssetMetadata),
    selectPreviewFrame: json(selectPreviewFrame),
    createGroup: json(createGroup),
    editGroup: json(editGroup),
    createGroupingSet: json(createGroupingSet),
    assignGroupingAssets: json(assignGroupingAssets),
    changeRelationship: json(changeRelationship),
    createMediaSet: (args, call) =>
      named(args.clientMutationId, async () => begin('create_media_set', planMediaSet, args, call)),
    editSet: (args, call) =>
      named(args.clientMutationId, async () => begin('edit_set', planSetEdit, args, call)),
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
