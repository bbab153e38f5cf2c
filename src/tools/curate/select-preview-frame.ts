import { carryOutChange, replacing, toolOf } from '../../mcp/guarded-call.ts';
import { defineTool } from '../../mcp/tool.ts';
import { selectPreviewFrame } from '../../mutations/operations/assets.ts';

export const selectPreviewFrameTool = defineTool({
  ...toolOf(selectPreviewFrame, {
    selectedSourceFrame: 'from 0',
  }),
  title: 'Choose the preview frame, the thumbnail, of an animated picture',
  description: 'Choose which frame of an animated picture (Asset) of your own is its preview.',
  searchHint:
    'choose pick change use another still moment thumbnail cover of animated animation moving gif poster picture',
  annotations: replacing,
  run: (args, context) => carryOutChange(selectPreviewFrame.name, args, context),
});
