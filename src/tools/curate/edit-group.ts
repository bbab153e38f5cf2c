import { editGroup } from '../../mutations/operations/edits.ts';
import { changeTool, replacing } from './change-tool.ts';

export const editGroupTool = changeTool(editGroup, {
  title: 'Edit or rename a Boxset or Loadout, add or remove Sets',
  description:
    'Rename a Boxset or Loadout of your own, add Sets or take Sets out, change its description or language. What you leave out stays.',
  searchHint: 'change title name text another drop membership members',
  annotations: replacing,
  words: {
    addSetIds: 'Sets to add, which are in no other group',
    removeSetIds: 'Sets to take out',
  },
});
