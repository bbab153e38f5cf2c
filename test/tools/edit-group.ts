import { owned } from '../support/workshop.ts';
import type { ToolFile } from '../support/tool-file.ts';
import { later } from '../support/written.ts';

export default {
  written: [
    {
      said: { ...later, groupId: '7', languageCode: null },
      meant: { ...later, groupId: 7, languageCode: null },
    },
  ],
  changes: [
    {
      name: 'edit_group',
      needs: [['groups:write']],
      touches: { kind: 'group', title: /^Boxset / },
      revision: 'read',
      async prepare(workshop) {
        const { id, updatedAt } = await workshop.newGroup();
        const edit = { groupId: id, expectedUpdatedAt: updatedAt, description: 'Ships included' };
        return workshop.json(`/me/groups/${id}`, edit, owned('group', id));
      },
    },
  ],
} satisfies ToolFile;
