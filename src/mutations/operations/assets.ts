import { previewSelection } from '../../catalogue/assumed.ts';
import { path } from '../../catalogue/call.ts';
import {
  assetId,
  extra,
  givenFieldsOf,
  jsonRequest,
  metadataChanges,
  selectedSourceFrame,
} from '../../catalogue/request.ts';
import { defineArguments, defineOperation, requireServiceRevision, revisionToSend } from './operation.ts';
import { comparedWith, keyOfOwned, revisionOfOwned, shownAmong } from './revisions.ts';

const names = Object.keys(metadataChanges);
const metadata = defineArguments({ assetId, ...metadataChanges }).refine(
  (edit) => Object.keys(givenFieldsOf(metadataChanges, edit)).length > 0,
  `they change nothing; give ${names.join(' or ')}`,
);

/**
 * Asset metadata edit (interface document): only what changes is sent. The wire carries the revision and no identity: the
 * Asset is read back.
 */
export const editAssetMetadata = defineOperation({
  name: 'edit_asset_metadata',
  sends: 'json',
  arguments: metadata,
  meant: metadata,
  revision: revisionOfOwned('asset', 'assetId'),
  comparedOnWire: true,
  saved: 'asset',
  needed: () => ({ allOf: ['assets:write'] }),
  target: (edit) => ({ kind: 'asset', id: edit.assetId }),
  request(edit) {
    const expectedUpdatedAt = requireServiceRevision(edit.expectedUpdatedAt);
    const body = { expectedUpdatedAt, ...givenFieldsOf(metadataChanges, edit) };
    return jsonRequest(path`/me/assets/${edit.assetId}/metadata`, body, 'none');
  },
  effect: { compare: (edit, record) => comparedWith(record, givenFieldsOf(metadataChanges, edit)) },
  earlier: (edit, records) =>
    shownAmong(
      records.get(keyOfOwned('asset', edit.assetId)),
      Object.keys(givenFieldsOf(metadataChanges, edit)),
    ),
  undo: (edit, earlier) => ({ assetId: edit.assetId, ...earlier }),
});

const preview = defineArguments({ extra, assetId, selectedSourceFrame });

/** Preview frame (interface document). The body is assumed; the Asset is read back. */
export const selectPreviewFrame = defineOperation({
  name: 'select_preview_frame',
  sends: 'json',
  arguments: preview,
  meant: preview,
  revision: revisionOfOwned('asset', 'assetId'),
  saved: 'asset',
  needed: () => ({ allOf: ['assets:replace'] }),
  target: (args) => ({ kind: 'asset', id: args.assetId }),
  request(args) {
    const body = previewSelection({ ...args, expectedUpdatedAt: revisionToSend(args.expectedUpdatedAt) });
    return jsonRequest(path`/me/assets/${args.assetId}/preview`, body, 'assumed');
  },
  effect: {
    compare: (args, record) => comparedWith(record, { selectedSourceFrame: args.selectedSourceFrame }),
  },
  earlier: (args, records) =>
    shownAmong(records.get(keyOfOwned('asset', args.assetId)), ['selectedSourceFrame']),
  undo: (args, earlier) =>
    typeof earlier.selectedSourceFrame === 'number' ? { assetId: args.assetId, ...earlier } : null,
});
