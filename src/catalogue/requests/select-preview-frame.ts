import { z } from 'zod';
import { previewSelection } from '../assumed.ts';
import { path } from '../path.ts';
import { assetId, assumedRevision, clientMutationId, extra, selectedSourceFrame } from './fields.ts';
import { type JsonRequest, jsonRequest } from './request.ts';

export const previewFrameToSelect = z.strictObject({
  clientMutationId,
  assetId,
  expectedUpdatedAt: assumedRevision,
  selectedSourceFrame,
  extra,
});

export type PreviewFrameToSelect = z.output<typeof previewFrameToSelect>;

/** Interface document, Preview frame: select one of an animated Asset. The body is assumed. */
export function selectPreviewFrameRequest(selection: PreviewFrameToSelect): JsonRequest {
  return jsonRequest(path`/me/assets/${selection.assetId}/preview`, previewSelection(selection), {
    needed: { allOf: ['assets:replace'] },
    identity: 'assumed',
  });
}
