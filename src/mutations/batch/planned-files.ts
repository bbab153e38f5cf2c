import { ArtworkError } from '../../errors.ts';
import { openAccountLedger } from '../session.ts';
import type { Outgoing } from '../before-claim/outgoing.ts';
import type { MutationPorts } from '../ports.ts';
import { isUnsent } from '../../ledger/entry-view.ts';
import { refuseUploadFile } from '../delivery/open-upload.ts';
import { declaredBy, fileItems } from '../declared.ts';
import { readCheckpoint } from '../checkpoint.ts';
import { storedSubmissionOutgoing } from './outgoing.ts';
import type { SubmissionPlan, PlannedFiles } from '../operations/submission-plan.ts';

/**
 * What was planned, where its files are not what they were: the plan itself tells what is meant. It only serves an
 * id that was claimed before, whose bytes were sent or kept; what was never claimed is refused.
 * @throws MutationError `upload_refused`
 */
export async function withoutPlannedFiles(
  ports: MutationPorts,
  named: SubmissionPlan,
  { files, again }: PlannedFiles,
  clientMutationId: string,
  error: unknown,
): Promise<Outgoing> {
  if (!(error instanceof ArtworkError) || error.category !== 'upload_refused') throw error;
  const { scope } = await openAccountLedger(ports);
  const view = await (await ports.ledger()).read(scope, clientMutationId);
  const checkpoint = view === null ? null : readCheckpoint(view.entry.progress);
  const seen = files.flatMap((file, at) =>
    file === null ? [] : [{ ...file, path: named.files[at]?.file ?? '' }],
  );
  if (view !== null && checkpoint !== null && seen.length === named.files.length) {
    const mutation = named.declare(seen);
    const outgoing = storedSubmissionOutgoing(ports.blobs, mutation, checkpoint);
    if (!isUnsent(view)) return outgoing;
    const declared = fileItems(declaredBy(mutation)).map(({ file }) => file);
    if ((await ports.blobs.missing(checkpoint.keeper, declared)).length === 0) return outgoing;
  }
  const { category, message, code, details, issues } = error;
  // Of a folder that is not open any more a new plan could not be made either.
  const facts = { code, details, issues, next: error.next ?? again, cause: error };
  return refuseUploadFile(ports, clientMutationId, new ArtworkError(category, message, facts));
}
