import { slotWords } from '../../model/slots.ts';
import { editAssetMetadata } from '../../mutations/operations/edits.ts';
import { withArticle } from '../../text.ts';
import { changeTool, replacing } from './change-tool.ts';

export const editAssetMetadataTool = changeTool(editAssetMetadata, {
  title: 'Correct the language or edition of a picture',
  description: `Correct the language or edition of a picture (Asset) of your own, such as ${withArticle(slotWords('titlecard'))}. What you leave out stays; "none" clears.`,
  searchHint: 'change fix wrong set image poster english german french tag label',
  annotations: replacing,
});
