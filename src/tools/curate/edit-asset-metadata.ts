import { z } from 'zod';
import { editionId, guarded, languageCode } from '../../mcp/arguments.ts';
import { ofOwned } from '../../mcp/revision-source.ts';
import { defineTool } from '../../mcp/tool.ts';
import { answered, mutationCall, mutationResult, replacing } from './guarded-call.ts';

const input = z.strictObject({
  ...guarded,
  assetId: z.uuid().describe('the Asset'),
  languageCode: languageCode.nullable().optional().describe('null clears it'),
  editionId: editionId.nullable().optional().describe('null clears it'),
});

export const editAssetMetadataTool = defineTool({
  name: 'edit_asset_metadata',
  title: 'Edit the metadata of an Asset',
  toolset: 'curate',
  description:
    "Changes the language or edition of an Asset of your own; what you leave out stays, null clears. expectedUpdatedAt is the Asset's updatedAt from get_owned, and goes on the wire: a stale one changes nothing.",
  annotations: replacing,
  input,
  output: mutationResult,
  revision: ofOwned('asset', 'assetId'),
  async run(args, context) {
    const { mutations } = await context.account();
    return answered(await mutations.editAssetMetadata(args, mutationCall(context)));
  },
});
