import { editAssetMetadata } from '../../mutations/operations/edit-asset-metadata.ts';
import { carryOut, replacing, toolOf } from '../../mcp/guarded-call.ts';
import { defineTool } from '../../mcp/tool.ts';

export const editAssetMetadataTool = defineTool({
  ...toolOf(editAssetMetadata, {
    assetId: 'the Asset',
  }),
  title: 'Edit the metadata of an Asset',
  description:
    "Changes the language or edition of an Asset of your own; what you leave out stays, null clears. expectedUpdatedAt is the Asset's updatedAt from get_owned, and goes on the wire: a stale one changes nothing.",
  annotations: replacing,
  run: (args, context) => carryOut(editAssetMetadata.name, args, context),
});
