import { selectPreviewFrame } from '../../mutations/operations/edits.ts';
import { changeTool, replacing } from './change-tool.ts';

export const selectPreviewFrameTool = changeTool(selectPreviewFrame, {
  title: 'Choose the preview frame, the thumbnail, of an animated picture',
  description:
    'Choose the frame that stands for an animated picture (Asset) of your own. view_artwork with frames shows them, numbered from 0.',
  searchHint: 'pick change another still moment cover animation moving gif poster',
  annotations: replacing,
  words: {
    selectedSourceFrame: 'from 0',
  },
});
