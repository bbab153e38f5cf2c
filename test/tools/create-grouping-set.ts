import type { ToolFile } from '../support/tool-file.ts';
import { first } from '../support/written.ts';

export default {
  written: [
    {
      said: {
        ...first,
        setKind: 'talent_set',
        titleBase: 'T',
        entryTargetKind: 'People',
        entryTargetId: '4',
      },
      meant: { ...first, setKind: 'talent_set', titleBase: 'T', entryTargetKind: 'person', entryTargetId: 4 },
    },
  ],
  changes: [
    {
      name: 'create_grouping_set',
      needs: [['sets:write']],
      touches: { kind: 'set', title: /^Category Set / },
      sharedPath: '/me/grouping-sets',
      revision: 'none',
      async prepare(workshop) {
        const create = { expectedUpdatedAt: null, ...(await workshop.newCategorySet()) };
        return workshop.json('/me/grouping-sets', create, null);
      },
    },
  ],
} satisfies ToolFile;
