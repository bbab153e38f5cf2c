import { changeRelationship } from '../../mutations/operations/edits.ts';
import { changeTool, replacing } from './change-tool.ts';

export const changeRelationshipTool = changeTool(changeRelationship, {
  title: 'Follow, unfollow, hide or block a user',
  description:
    'Follow or hide a creator, by the name in createdBy; clear ends it. list_relationships lists them. For shows and films: watch.',
  searchHint:
    'following hiding unhide unblock mute subscribe artist uploader person someone see no more start stop',
  annotations: replacing,
  words: {
    targetKind: 'e.g. user',
    targetId: 'or the name in createdBy',
  },
});
