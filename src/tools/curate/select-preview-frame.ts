import { selectPreviewFrame } from '../../mutations/operations/select-preview-frame.ts';
import { carryOut, replacing, toolOf } from '../../mcp/guarded-call.ts';
import { defineTool } from '../../mcp/tool.ts';

export const selectPreviewFrameTool = defineTool({
  ...toolOf(selectPreviewFrame, {
    assetId: 'the animated Asset',
    selectedSourceFrame: 'number of the frame, from 0',
  }),
  title: 'Select a preview frame',
  description:
    "Selects which frame of an animated Asset of your own is its preview. expectedUpdatedAt is the Asset's updatedAt from get_owned. The service's document does not show this request: dryRun shows what would be sent.",
  annotations: replacing,
  run: (args, context) => carryOut(selectPreviewFrame.name, args, context),
});
