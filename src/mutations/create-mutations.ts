import { ArtworkError } from '../errors.ts';
import { currentPrincipal } from './principal.ts';
import { createBackground } from './delivery/background.ts';
import { type CallClock, startCall } from './call-clock.ts';
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
import { type MutationDependencies, perform } from './calls/perform.ts';
import type { MutationPorts } from './ports.ts';
import { resume } from './calls/resume.ts';
import { createSizeLimit } from './size-limit.ts';
import { statusOf } from './calls/status.ts';
import { submissionElsewhere } from './calls/foreign-submission.ts';
import { createPreparing } from './calls/preparing.ts';
import { type SubmissionDependencies, submit } from './calls/submit.ts';
import { openUploadOutgoing, refuseFile } from './delivery/upload.ts';
import type { FileSource } from './file-source.ts';

/** See `Mutations`. Nothing here touches the network or the disk: that waits for the call that needs it. */
export function createMutations(ports: MutationPorts): Mutations {
  const background = createBackground(ports.clock, ports.log);
  const dependencies: MutationDependencies = { ports, background };

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
        return perform(
          dependencies,
          jsonOutgoing(make(meant)),
          startCall(ports.clock, call),
          dryRun === true,
        );
      });

  const source = (call: MutationCall | undefined): FileSource => ({
    files: ports.files,
    roots: call?.roots ?? [],
    limit,
  });
  const preparing = createPreparing(ports.clock);
  const withFiles = (call: MutationCall | undefined): SubmissionDependencies => ({
    ...dependencies,
    source: source(call),
    preparing,
    planned: call?.planned ?? null,
  });
  const timed = (call: MutationCall | undefined): CallClock => startCall(ports.clock, call);

  return {
    uploadAsset: (args, call) =>
      named(args.clientMutationId, async () => {
        const { dryRun, ...meant } = args;
        const time = timed(call);
        const opening = openUploadOutgoing(source(call), meant, time);
        const outgoing = await opening.catch((error) => refuseFile(ports, meant.clientMutationId, error));
        return perform(dependencies, outgoing, time, dryRun === true);
      }),
    editAssetMetadata: json(editAssetMetadata),
    selectPreviewFrame: json(selectPreviewFrame),
    createGroup: json(createGroup),
    editGroup: json(editGroup),
    createGroupingSet: json(createGroupingSet),
    assignGroupingAssets: json(assignGroupingAssets),
    changeRelationship: json(changeRelationship),
    createMediaSet: (args, call) =>
      named(args.clientMutationId, () =>
        submit(withFiles(call), 'create_media_set', planMediaSet, args, timed(call)),
      ),
    editSet: (args, call) =>
      named(args.clientMutationId, () => submit(withFiles(call), 'edit_set', planSetEdit, args, timed(call))),
    status: (id, call, page) =>
      named(id, async () => {
        const time = timed(call);
        try {
          return await statusOf(ports, id, time, page);
        } catch (error) {
          const unknown = error instanceof ArtworkError && error.category === 'not_found';
          const prepared = unknown ? preparing.ask(id, time) : null;
          if (prepared === null) throw error;
          return await prepared;
        }
      }),
    submissionStatus: (asked, call, page) => submissionElsewhere(ports, asked, page, timed(call)),
    resume: (args, call) =>
      named(args.clientMutationId, () => resume(dependencies, args, source(call), timed(call))),
    list: (filter) => listOwn(ports, filter),
    countOpen: () => countOwnOpen(ports),
    listForPerson: (filter) => listAll(ports, filter),
    countOpenForPerson: () => countOpen(ports),
    abandon: (id) => abandonMutation(ports, id),
    async isKnown(id) {
      const principal = await currentPrincipal(ports).catch(unlessNotConnected);
      return principal !== null && (await (await ports.ledger()).read(principal.scope, id)) !== null;
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
