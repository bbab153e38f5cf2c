import type { Call } from '../../catalogue/request-time.ts';
import type { AssetUpload } from '../../catalogue/records/upload-status.ts';
import { ArtworkError } from '../../errors.ts';
import { asJson } from '../json.ts';
import type { StoredReceipt } from '../stored-receipt.ts';
import type { OwnedReads } from '../ports.ts';
import type { Finding } from '../finding.ts';

/** What the service's own record of an upload says (interface document, Asset upload status). */
export async function lookUpUpload(owned: OwnedReads, id: string, call: Call): Promise<Finding> {
  const upload = await owned.findAssetUpload(id, call);
  if (upload === null) {
    const says =
      'The service has no record of this upload now. That proves nothing: a request may still be on its way.';
    return { found: 'nothing', by: 'lookup', says, final: false };
  }
  switch (upload.state) {
    case 'succeeded':
      return { found: 'ended', outcome: 'succeeded', kept: keptOf(upload) };
    case 'failed': {
      const { error } = upload;
      const reason = new ArtworkError('bad_response', error?.message ?? 'The service could not process it.', {
        code: error?.code,
        details: error?.details,
        issues: error?.issues,
      });
      return { found: 'ended', outcome: 'failed', kept: keptOf(upload), error: reason };
    }
    case 'processing':
    case 'unknown':
      return { found: 'working', kept: keptOf(upload) };
  }
}

function keptOf({
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
