import type { Json } from '../../canonical-json.ts';
import type { AssetUpload } from '../../catalogue/records/owned.ts';
import { type Deadline, noLaterThan } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import { asJson, type Finding, nothingFound, type StoredReceipt } from '../finding.ts';
import type { LookupContext } from '../mutation.ts';
import type { OwnedReads } from '../ports.ts';
import { readNote } from '../run/note.ts';
import { processingError } from './lookups.ts';

/** The service is asked before an upload is sent at all; one that takes longer is taken for one that can't be asked. ms */
const askMs = 15_000;

/**
 * Whether the service knows an upload's id before anything is sent under it: a lookup then shows another upload, also
 * where the answer to this one is lost.
 * @throws ArtworkError where the service can't be asked: without this answer a later lookup would prove nothing of an
 * upload that was sent, so that it is not sent
 */
export async function checkIdIsNew(owned: OwnedReads, id: string, deadline: Deadline): Promise<Json> {
  try {
    const upload = await owned.findAssetUpload(id, noLaterThan(deadline, askMs));
    return upload === null ? {} : { knownBefore: true };
  } catch (error) {
    throw error instanceof ArtworkError ? notAskedError(error) : error;
  }
}

/** What is said of a request for a status would else be taken for what is said of the upload. */
function notAskedError(error: ArtworkError): ArtworkError {
  switch (error.category) {
    case 'cancelled':
    case 'not_connected':
    case 'reconnect_required':
    case 'scope_missing':
      return error;
    default: {
      const { category, message, code, status, next } = error;
      const mayPass =
        category === 'network' || category === 'service_unavailable' || category === 'rate_limited';
      return new ArtworkError(
        mayPass ? category : 'bad_response',
        `The service could not say whether it knows this id already, so nothing was sent. ${message}`,
        { code: code === category ? undefined : code, status, next: mayPass ? next : undefined },
      );
    }
  }
}

/** What the service shows of an upload that this ledger has sent. */
export async function findUpload(
  id: string,
  { owned, progress, deadline }: Omit<LookupContext, 'names'>,
): Promise<Finding> {
  return readNote(progress).knownBefore === true ? foreignIdFinding : lookUpUpload(owned, id, deadline);
}

const foreignIdFinding = nothingFound(
  'lookup',
  'The service knew this id before anything was sent under it from here: what it shows may be an earlier upload, and tells nothing of this one.',
  true,
);

/** What the service's own record of an upload says (interface document, Asset upload status). */
export async function lookUpUpload(owned: OwnedReads, id: string, deadline: Deadline): Promise<Finding> {
  const upload = await owned.findAssetUpload(id, deadline);
  if (upload === null) {
    const says =
      'The service has no record of this upload now. That proves nothing: a request may still be on its way.';
    return nothingFound('lookup', says, false);
  }
  switch (upload.state) {
    case 'succeeded':
      return { found: 'ended', outcome: 'succeeded', kept: storedReceiptOfUpload(upload) };
    case 'failed': {
      const error = processingError(upload.error);
      return { found: 'ended', outcome: 'failed', kept: storedReceiptOfUpload(upload), error };
    }
    case 'processing':
    case 'unknown':
      return { found: 'working', kept: storedReceiptOfUpload(upload) };
  }
}

function storedReceiptOfUpload({
  state,
  record,
  updatedAt,
  publicationStatus,
  processingStatus,
}: AssetUpload): StoredReceipt {
  const word = processingStatus === null ? 'without a status' : `as ${processingStatus}`;
  return {
    receipt: asJson(record),
    updatedAt,
    publicationStatus,
    evidence: {
      by: 'lookup',
      certainty: state === 'unknown' ? 'unknown' : 'certain',
      says: `The service's own record of the upload shows it ${word}.`,
    },
    warnings: [],
  };
}
