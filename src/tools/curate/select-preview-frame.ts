import { defineTool } from '../../mcp/tool.ts';
import { selectPreviewFrame } from '../../mutations/operations/edits.ts';
import { carryOutChange, replacing, toolOf } from './guarded-call.ts';

export const selectPreviewFrameTool = defineTool({
  ...toolOf(selectPreviewFrame, {
    selectedSourceFrame: 'from 0',
  }),
  title: 'Choose the preview frame, the thumbnail, of an animated picture',
  description:
    'Choose the frame that stands for an animated picture (Asset) of your own. view_artwork with frames shows them, numbered.',
  searchHint: 'pick change another still moment cover animation moving gif poster',
  annotations: replacing,
  run: (args, context) => carryOutChange(selectPreviewFrame.name, args, context),
});
