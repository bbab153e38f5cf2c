import { slotOfTarget } from '../../mcp/arguments.ts';
import { carryOut, replacing, toolOf } from '../../mcp/guarded-call.ts';
import { kindOfUpload } from '../../mcp/kinds.ts';
import { defineTool } from '../../mcp/tool.ts';
import { uploadAsset } from '../../mutations/operations/upload-asset.ts';
import { findIdsIn } from '../find-ids.ts';

const { input, ...tool } = toolOf(uploadAsset, {
  file: 'absolute path or file: URI below an allowed folder',
  slot: 'e.g. "poster", "titlecard"',
  targetKind: 'e.g. "movie"; needed without setId and groupId',
  previousAssetId: 'the Asset that a replace puts out of its place',
  setId: 'upload into this Set of your own',
  groupId: 'upload as the poster of this group of your own',
});

export const uploadAssetTool = defineTool({
  ...tool,
  input: input.superRefine(slotOfTarget).superRefine(kindOfUpload),
  title: 'Upload an Asset',
  description:
    "Uploads one picture: adds it, or replaces an Asset of your own (the old one stays in the replacement chain). Nothing can be deleted afterwards: use dryRun first, and look at the file. expectedUpdatedAt: for replace that Asset's, for add with setId or groupId that Set's or group's, all from get_owned; else \"none\". publicationStatus pending means public reads catch up later.",
  annotations: replacing,
  instead: findIdsIn,
  run: (args, context) => carryOut(uploadAsset.name, args, context),
});
