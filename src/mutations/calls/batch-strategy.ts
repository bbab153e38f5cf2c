import type { EntryView } from '../../ledger/standing.ts';
import { reportItems, reportPlanned } from '../answer/items.ts';
import { deliverSubmission } from '../batch/deliver-submission.ts';
import { openSubmissionOutgoing, storedSubmissionOutgoing } from '../batch/outgoing.ts';
import { declaredBy } from '../declared.ts';
import { requireAllBlobs } from '../batch/require-blobs.ts';
import { showRest, showSubmission } from '../batch/show-submission.ts';
import { type Checkpoint, readCheckpoint } from '../checkpoint.ts';
import { MutationError } from '../mutation-error.ts';
import { statusOfSubmission } from './status-submission.ts';
import type { Resumed, Strategy } from './strategy.ts';

/**
 * A submission: an admission, the files, the completion. It is resumed from what the ledger and the blobs hold: what
 * nothing was sent of is sent as if for the first time; where the admission's answer was lost the identical one is
 * sent; else the service is asked what it lacks.
 */
export const batch: Strategy = {
  deliver: deliverSubmission,
  show: (mutation, names) => ({
    ...reportPlanned(declaredBy(mutation), names),
    requests: showSubmission(mutation),
  }),
  status: statusOfSubmission,
  resume: {
    async reopen({ ports }, _, { mutation, view }) {
      await requireAllBlobs(ports.blobs, mutation, readCheckpoint(view.entry.progress));
      return storedSubmissionOutgoing(ports.blobs, mutation, checkpointOf(view));
    },
    // What the service lacks it is asked for once the lease is held.
    lookFirst: async () => null,
    reopenSent: async (_, __, resumed) => openOutgoing(resumed),
    afterLease: (_, resumed) => openOutgoing(resumed),
    async show(_, { mutation, view }) {
      const items = reportItems(declaredBy(mutation), view, [], { after: null, limit: 25 });
      return { ...items, requests: showRest(mutation, checkpointOf(view)) };
    },
    isRepeated: ({ entry }) => entry.doubt,
  },
};

function openOutgoing({ mutation, view }: Resumed) {
  return { ...openSubmissionOutgoing(mutation, checkpointOf(view)), names: view.entry.names };
}

function checkpointOf({ entry }: EntryView): Checkpoint {
  const checkpoint = readCheckpoint(entry.progress);
  if (checkpoint !== null) return checkpoint;
  const { clientMutationId } = entry;
  throw new MutationError('internal', 'The checkpoint of this submission was written by a newer version.', {
    clientMutationId,
    next: { why: 'A person has to update artwork-mcp; then resume_mutation goes on with it.' },
  });
}
