import { z } from 'zod';
import {
  assetMetadataEdit,
  editAssetMetadataRequest as request,
} from '../../catalogue/requests/edit-asset-metadata.ts';
import { assetId, editionId, languageCode } from '../../catalogue/requests/fields.ts';
import { checkAsset } from '../checks/check-asset.ts';
import type { Mutation } from '../mutation.ts';
import { checked, guarded, intentOf } from './checked.ts';
import { judgeEdit } from './read-back.ts';
import { assetGuard } from '../checks/guard.ts';

const schema = z
  .strictObject({
    ...guarded,
    assetId,
    languageCode: languageCode.nullable().optional(),
    editionId: editionId.optional(),
  })
  .refine(
    (edit) => edit.languageCode !== undefined || edit.editionId !== undefined,
    'they change nothing; give languageCode or editionId',
  );

/**
 * Asset metadata edit (interface document). The wire carries the revision and no identity, so it is never
 * repeated; the Asset is read back instead.
 */
export function editAssetMetadata(given: object): Mutation {
  const args = checked(schema, given);
  const { clientMutationId, expectedUpdatedAt, assetId, languageCode, editionId } = args;
  const intent = intentOf(args);
  return {
    operation: 'edit_asset_metadata',
    clientMutationId,
    expectedUpdatedAt,
    target: { kind: 'asset', id: assetId },
    intent,
    needed: { allOf: ['assets:write'] },
    guards: [assetGuard(assetId, expectedUpdatedAt)],
    looksBy: 'read_back',
    saved: 'asset',
    places: [],
    bytes: null,
    request: () =>
      request(checked(assetMetadataEdit, { assetId, expectedUpdatedAt, languageCode, editionId })),
    again: () => ({ ...intent, clientMutationId }),
    check: (seen) => checkAsset({ assetId }, seen),
    async find({ owned, call }) {
      const asset = await owned.readAsset(assetId, call);
      const compared = [
        { field: 'languageCode', meant: languageCode, shown: asset.languageCode },
        { field: 'editionId', meant: editionId, shown: asset.editionId },
      ].flatMap(({ meant, ...rest }) => (meant === undefined ? [] : [{ meant, ...rest }]));
      return judgeEdit({ name: `Asset ${assetId}`, expected: expectedUpdatedAt, record: asset, compared });
    },
  };
}
