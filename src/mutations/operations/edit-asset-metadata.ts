import { assetId, metadataChanges } from '../../catalogue/requests/fields.ts';
import { jsonRequest } from '../../catalogue/requests/request.ts';
import { givenOf } from '../../catalogue/requests/sparse.ts';
import { path } from '../../catalogue/path.ts';
import { checkAsset } from '../checks/check-asset.ts';
import { assetGuard } from '../checks/guard.ts';
import { argumentsOf, requireServiceRevision } from './checked.ts';
import { defineOperation } from './operation.ts';
import { comparedIn, judgeEdit } from './read-back.ts';
import { ofOwned } from './revision-rule.ts';

/**
 * Asset metadata edit (interface document): only what changes is sent. The wire carries the revision and no
 * identity, so it is never repeated; the Asset is read back instead.
 */
export const editAssetMetadata = defineOperation({
  name: 'edit_asset_metadata',
  arguments: argumentsOf({ assetId, ...metadataChanges }).refine(
    (edit) => Object.keys(givenOf(metadataChanges, edit)).length > 0,
    `they change nothing; give ${Object.keys(metadataChanges).join(' or ')}`,
  ),
  strategy: { by: 'request' },
  revision: ofOwned('asset', 'assetId'),
  saved: 'asset',
  looksBy: 'read_back',
  needed: () => ({ allOf: ['assets:write'] }),
  target: ({ assetId }) => ({ kind: 'asset', id: assetId }),
  guards: ({ assetId, expectedUpdatedAt }) => [assetGuard(assetId, expectedUpdatedAt)],
  request(edit) {
    const expectedUpdatedAt = requireServiceRevision(edit.expectedUpdatedAt);
    const body = { expectedUpdatedAt, ...givenOf(metadataChanges, edit) };
    return jsonRequest(path`/me/assets/${edit.assetId}/metadata`, body, 'none');
  },
  check: ({ assetId }, seen) => checkAsset({ assetId }, seen),
  async find(edit, { owned, call }) {
    const { assetId, expectedUpdatedAt } = edit;
    const record = await owned.readAsset(assetId, call);
    const compared = comparedIn(record, givenOf(metadataChanges, edit));
    return judgeEdit({ name: `Asset ${assetId}`, expected: expectedUpdatedAt, record, compared });
  },
});
