import { defineTool } from '../../mcp/tool.ts';
import { slotWords } from '../../model/slots.ts';
import { editAssetMetadata } from '../../mutations/operations/edits.ts';
import { withArticle } from '../../text.ts';
import { carryOutChange, replacing, toolOf } from './guarded-call.ts';

export const editAssetMetadataTool = defineTool({
  ...toolOf(editAssetMetadata, {}),
  title: 'Correct the language or edition of a picture',
  description: `Correct the language or edition of a picture (Asset) of your own, such as ${withArticle(slotWords('titlecard'))}. What you leave out stays; "none" clears.`,
  searchHint: 'change fix wrong set image poster english german french tag label',
  annotations: replacing,
  run: (args, context) => carryOutChange(editAssetMetadata.name, args, context),
});
