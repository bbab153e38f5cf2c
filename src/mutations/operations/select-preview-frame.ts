import { z } from 'zod';
import { assetId, extra, selectedSourceFrame } from '../../catalogue/requests/fields.ts';
import {
  previewFrameToSelect,
  selectPreviewFrameRequest as request,
} from '../../catalogue/requests/select-preview-frame.ts';
import { checkAsset } from '../checks/check-asset.ts';
import type { Mutation } from '../mutation.ts';
import { checked, guarded, intentOf } from './checked.ts';
import { judgeEdit } from './read-back.ts';
import { assetGuard } from '../checks/guard.ts';

const schema = z.strictObject({ ...guarded, assetId, selectedSourceFrame, extra });

/** Preview frame (interface document). The body is assumed, so it is never repeated; the Asset is read back. */
export function selectPreviewFrame(given: object): Mutation {
  const args = checked(schema, given);
  const { clientMutationId, expectedUpdatedAt, assetId, selectedSourceFrame } = args;
  const intent = intentOf(args);
  return {
    operation: 'select_preview_frame',
    clientMutationId,
    expectedUpdatedAt,
    target: { kind: 'asset', id: assetId },
    intent,
    needed: { allOf: ['assets:replace'] },
    guards: [assetGuard(assetId, expectedUpdatedAt)],
    looksBy: 'read_back',
    saved: 'asset',
    places: [],
    bytes: null,
    request: () => request(checked(previewFrameToSelect, args)),
    again: () => ({ ...intent, clientMutationId }),
    check: (seen) => checkAsset({ assetId, frame: selectedSourceFrame }, seen),
    async find({ owned, call }) {
      const record = await owned.readAsset(assetId, call);
      const shown = record.selectedSourceFrame;
      const compared = [{ field: 'selectedSourceFrame', meant: selectedSourceFrame, shown }];
      return judgeEdit({ name: `Asset ${assetId}`, expected: expectedUpdatedAt, record, compared });
    },
  };
}
