import { path } from '../../catalogue/call.ts';
import { assetId, givenFieldsOf, jsonRequest, metadataChanges } from '../../catalogue/request.ts';
import { publicationIn } from '../../catalogue/records/members.ts';
import { checkAsset } from '../before/check-artwork.ts';
import { defineArguments, ownedRevision, requireServiceRevision } from './arguments.ts';
import { shownOf } from './earlier.ts';
import { defineOperation } from './operation.ts';
import { compareReadBack } from './read-back.ts';

/**
 * Asset metadata edit (interface document): only what changes is sent. The wire carries the revision and no
 * identity, so it is never repeated; the Asset is read back instead.
 */
export const editAssetMetadata = defineOperation({
  name: 'edit_asset_metadata',
  arguments: defineArguments({ assetId, ...metadataChanges }).refine(
    (edit) => Object.keys(givenFieldsOf(metadataChanges, edit)).length > 0,
    `they change nothing; give ${Object.keys(metadataChanges).join(' or ')}`,
  ),
  run: {
    by: 'request',
    request(edit) {
      const expectedUpdatedAt = requireServiceRevision(edit.expectedUpdatedAt);
      const body = { expectedUpdatedAt, ...givenFieldsOf(metadataChanges, edit) };
      return jsonRequest(path`/me/assets/${edit.assetId}/metadata`, body, 'none');
    },
  },
  revision: ownedRevision('asset', 'assetId'),
  saved: 'asset',
  needed: () => ({ allOf: ['assets:write'] }),
  target: ({ assetId }) => ({ kind: 'asset', id: assetId }),
  earlier: (edit, records) =>
    shownOf(records.get(`Asset ${edit.assetId}`), Object.keys(givenFieldsOf(metadataChanges, edit))),
  check: ({ assetId }, seen) => checkAsset({ assetId }, seen),
  compare: (edit, record) => compareReadBack(record, givenFieldsOf(metadataChanges, edit)),
  publication: async ({ assetId }, { owned, deadline }) =>
    publicationIn(await owned.readAsset(assetId, deadline)),
});
