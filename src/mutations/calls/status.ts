import { readUploadStatus, uploadStatus } from '../../catalogue/records/upload-status.ts';
import { missingScopes } from '../../catalogue/scopes.ts';
import type { Next } from '../../errors.ts';
import { describeMutation } from '../answer/describe-mutation.ts';
import { findMutualAbort } from '../before-claim/require-no-conflict.ts';
import { pollUntilEnded } from '../delivery/poll.ts';
import { MutationError } from '../mutation-error.ts';
import { mayHaveBeenApplied } from '../next-calls.ts';
import { lookUpUpload } from '../operations/look-up-upload.ts';
import type { ItemPage, MutationResult } from '../result.ts';
import type { Session } from '../session.ts';
import { callStepsOf } from './call-steps.ts';
import { nameOfService } from '../names.ts';

/**
 * What is known of a mutation. What is settled is told; what a process works on is waited for; for the rest
 * the service is asked, again and again as long as the call may last.
 * @throws MutationError `not_found` where neither the ledger nor the service knows the id, and as `describeMutation`
 */
export async function statusOfMutation(
  session: Session,
  id: string,
  page?: ItemPage,
): Promise<MutationResult> {
  const { service, ledger, scope } = session;
  const view = await ledger.read(scope, id);
  if (view === null) return statusOfForeignUpload(session, id);
  const abort = await findMutualAbort(session, view);
  if (abort !== null) return describeMutation(service, view, { error: abort });
  return callStepsOf(view.entry).status(session, view, page);
}

const stillAtWork: Next = {
  why: "The service has not finished this upload. It is not in this machine's ledger: ask again later with the same id, or where it was made.",
  doNot: mayHaveBeenApplied,
};

/**
 * An id that this ledger does not know may be an upload of another machine. What the service says of it is told, and
 * nothing is written down: what was meant by it this ledger can't tell.
 */
async function statusOfForeignUpload(
  { ports, service, account, time }: Session,
  id: string,
): Promise<MutationResult> {
  const mayAsk = missingScopes(uploadStatus.needed, account.scopes).length === 0;
  const finding = mayAsk
    ? await pollUntilEnded(
        ports,
        time,
        () => lookUpUpload(ports.owned, id, time.call()),
        ({ found }) => found !== 'working',
      )
    : null;
  if (finding === null || finding.found === 'nothing') {
    const asked = mayAsk
      ? 'the service has no upload of this id now'
      : 'the service could not be asked for it without assets:write or assets:replace';
    throw new MutationError(
      'not_found',
      `This machine's ledger does not know the id for the connected account, and ${asked}.`,
      {
        clientMutationId: id,
        next: {
          why: 'Nothing was sent under this id from this ledger. Whether it was from another machine, for another account, or before the data folder of this one was lost is not known here: uploads are found by this id, but the service keeps a Set creation or an edit under its submissionId (get_mutation_status with submissionId and kind asks for it), and other changes under no id at all. An upload may be made again with the same id and exactly the same arguments, which the service answers with the first receipt; anything else is made again only after a person has looked at what is there.',
        },
      },
    );
  }
  const { kept } = finding;
  const error = finding.found === 'ended' ? finding.error : undefined;
  return {
    outcome: finding.found === 'ended' && finding.outcome !== 'partial' ? finding.outcome : 'processing',
    clientMutationId: id,
    operation: 'upload_asset',
    service: nameOfService(service),
    id: { kind: 'asset', id: readUploadStatus({ data: kept.receipt }).assetId },
    target: { kind: 'asset' },
    receipt: kept.receipt,
    ...(kept.updatedAt === null ? {} : { updatedAt: kept.updatedAt }),
    ...(kept.publicationStatus === null ? {} : { publicationStatus: kept.publicationStatus }),
    evidence: kept.evidence,
    ...(error === undefined ? {} : { error: { code: error.code, message: error.message } }),
    ...(finding.found === 'ended' ? {} : { next: stillAtWork }),
  };
}
