import { previewSelection } from '../../catalogue/assumed.ts';
import { path } from '../../catalogue/call.ts';
import { assetId, extra, jsonRequest, selectedSourceFrame } from '../../catalogue/request.ts';
import { publicationIn } from '../../catalogue/records/members.ts';
import { checkAsset } from '../before/check-artwork.ts';
import { defineArguments, ownedRevision, revisionToSend } from './arguments.ts';
import { shownOf } from './earlier.ts';
import { defineOperation } from './operation.ts';
import { compareReadBack } from './read-back.ts';

/** Preview frame (interface document). The body is assumed, so it is never repeated; the Asset is read back. */
export const selectPreviewFrame = defineOperation({
  name: 'select_preview_frame',
  arguments: defineArguments({ extra, assetId, selectedSourceFrame }),
  run: {
    by: 'request',
    request(args) {
      const body = previewSelection({ ...args, expectedUpdatedAt: revisionToSend(args.expectedUpdatedAt) });
      return jsonRequest(path`/me/assets/${args.assetId}/preview`, body, 'assumed');
    },
  },
  revision: ownedRevision('asset', 'assetId'),
  saved: 'asset',
  needed: () => ({ allOf: ['assets:replace'] }),
  target: ({ assetId }) => ({ kind: 'asset', id: assetId }),
  earlier: ({ assetId }, records) => shownOf(records.get(`Asset ${assetId}`), ['selectedSourceFrame']),
  check: ({ assetId, selectedSourceFrame }, seen) =>
    checkAsset({ assetId, frame: selectedSourceFrame }, seen),
  compare: ({ selectedSourceFrame }, record) => compareReadBack(record, { selectedSourceFrame }),
  publication: async ({ assetId }, { owned, deadline }) =>
    publicationIn(await owned.readAsset(assetId, deadline)),
});
