import { z } from 'zod';
import { guarded, integerId, languageCode, slotName, slotOfTarget } from '../../mcp/arguments.ts';
import { kindOfUpload, openKind } from '../../mcp/kinds.ts';
import { ofNothing, ofOwned, type RevisionSource } from '../../mcp/revision-source.ts';
import { defineTool } from '../../mcp/tool.ts';
import { findIdsIn } from '../find-ids.ts';
import { answered, mutationCall, mutationResult, replacing } from './guarded-call.ts';

const input = z
  .strictObject({
    ...guarded,
    file: z.string().min(1).max(4_096).describe('absolute path or file: URI below an allowed folder'),
    operation: z.enum(['add', 'replace']),
    slot: slotName.describe('e.g. "poster", "titlecard"'),
    targetKind: openKind.optional().describe('e.g. "movie"; needed without setId and groupId'),
    targetId: integerId('id of the target').optional(),
    languageCode: languageCode.optional().describe('e.g. "en"'),
    previousAssetId: z.uuid().optional().describe('the Asset that a replace puts out of its place'),
    setId: integerId('upload into this Set of your own').optional(),
    groupId: integerId('upload as the poster of this group of your own').optional(),
  })
  .superRefine(slotOfTarget)
  .superRefine(kindOfUpload);

export const uploadAssetTool = defineTool({
  name: 'upload_asset',
  title: 'Upload an Asset',
  toolset: 'curate',
  description:
    "Uploads one picture: adds it, or replaces an Asset of your own (the old one stays in the replacement chain). Nothing can be deleted afterwards: use dryRun first, and look at the file. expectedUpdatedAt: for replace that Asset's, for add with setId or groupId that Set's or group's, all from get_owned; else \"none\". publicationStatus pending means public reads catch up later.",
  annotations: replacing,
  input,
  output: mutationResult,
  revision: revisionOfPlace,
  instead: findIdsIn,
  async run(args, context) {
    const { mutations } = await context.account();
    const roots = await context.roots();
    return answered(await mutations.uploadAsset(args, { ...mutationCall(context), roots }));
  },
});

/** That of the Asset which is replaced, else that of what it is added to. */
function revisionOfPlace(given: Parameters<RevisionSource>[0]): ReturnType<RevisionSource> {
  const { operation, previousAssetId, setId, groupId } = given;
  if (operation === 'replace' || previousAssetId !== undefined) {
    return ofOwned('asset', 'previousAssetId')(given);
  }
  if (setId !== undefined) return ofOwned('set', 'setId')(given);
  return groupId === undefined ? ofNothing(given) : ofOwned('group', 'groupId')(given);
}
