import { createGroup } from '../../mutations/operations/creations.ts';
import { adding, changeTool } from './change-tool.ts';

export const createGroupTool = changeTool(createGroup, {
  title: 'Create a Boxset or Loadout: bundle Sets',
  description:
    'Make a new Boxset of movie, show and collection Sets, or a Loadout of game Sets. Then upload_asset with groupId gives it a picture.',
  searchHint: 'build start combine collect gather several together',
  annotations: adding,
  words: { setIds: 'Sets in it, which are in no other group' },
});
