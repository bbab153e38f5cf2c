import { defineTool } from '../../mcp/tool.ts';
import { changeRelationship } from '../../mutations/operations/edits.ts';
import { carryOutChange, replacing, toolOf } from './guarded-call.ts';

export const changeRelationshipTool = defineTool({
  ...toolOf(changeRelationship, {
    targetKind: 'e.g. user',
    targetId: 'or the name in createdBy',
  }),
  title: 'Follow, unfollow, hide or block a user',
  description:
    'Follow or hide a creator, by the name in createdBy; clear ends it. list_relationships lists them. For shows and films: watch.',
  searchHint:
    'following hiding unhide unblock mute subscribe artist uploader person someone see no more start stop',
  annotations: replacing,
  run: (args, context) => carryOutChange(changeRelationship.name, args, context),
});
