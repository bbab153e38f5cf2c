import { z } from 'zod';
import { extra, guarded, integerId } from '../../mcp/arguments.ts';
import { ofOwned } from '../../mcp/revision-source.ts';
import { defineTool } from '../../mcp/tool.ts';
import { answered, mutationCall, mutationResult, replacing } from './guarded-call.ts';

const input = z.strictObject({
  ...guarded,
  extra,
  assetId: z.uuid().describe('the animated Asset'),
  selectedSourceFrame: integerId('number of the frame, from 0'),
});

export const selectPreviewFrameTool = defineTool({
  name: 'select_preview_frame',
  title: 'Select a preview frame',
  toolset: 'curate',
  description:
    "Selects which frame of an animated Asset of your own is its preview. expectedUpdatedAt is the Asset's updatedAt from get_owned. The service's document does not show this request: dryRun shows what would be sent.",
  annotations: replacing,
  input,
  output: mutationResult,
  revision: ofOwned('asset', 'assetId'),
  async run(args, context) {
    const { mutations } = await context.account();
    return answered(await mutations.selectPreviewFrame(args, mutationCall(context)));
  },
});
