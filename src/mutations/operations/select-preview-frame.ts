import { previewSelection } from '../../catalogue/assumed.ts';
import { path } from '../../catalogue/path.ts';
import { assetId, extra, selectedSourceFrame } from '../../catalogue/requests/fields.ts';
import { jsonRequest } from '../../catalogue/requests/request.ts';
import { checkAsset } from '../checks/check-asset.ts';
import { assetGuard } from '../checks/guard.ts';
import { argumentsOf, revisionToSend } from './checked.ts';
import { defineOperation } from './operation.ts';
import { comparedIn, judgeEdit } from './read-back.ts';
import { ofOwned } from './revision-rule.ts';

/** Preview frame (interface document). The body is assumed, so it is never repeated; the Asset is read back. */
export const selectPreviewFrame = defineOperation({
  name: 'select_preview_frame',
  arguments: argumentsOf({ extra, assetId, selectedSourceFrame }),
  strategy: { by: 'request' },
  revision: ofOwned('asset', 'assetId'),
  saved: 'asset',
  looksBy: 'read_back',
  needed: () => ({ allOf: ['assets:replace'] }),
  target: ({ assetId }) => ({ kind: 'asset', id: assetId }),
  guards: ({ assetId, expectedUpdatedAt }) => [assetGuard(assetId, expectedUpdatedAt)],
  request(args) {
    const body = previewSelection({ ...args, expectedUpdatedAt: revisionToSend(args.expectedUpdatedAt) });
    return jsonRequest(path`/me/assets/${args.assetId}/preview`, body, 'assumed');
  },
  check: ({ assetId, selectedSourceFrame }, seen) =>
    checkAsset({ assetId, frame: selectedSourceFrame }, seen),
  async find({ assetId, expectedUpdatedAt, selectedSourceFrame }, { owned, call }) {
    const record = await owned.readAsset(assetId, call);
    const compared = comparedIn(record, { selectedSourceFrame });
    return judgeEdit({ name: `Asset ${assetId}`, expected: expectedUpdatedAt, record, compared });
  },
});
