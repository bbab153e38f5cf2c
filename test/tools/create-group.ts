import { randomUUID } from 'node:crypto';
import type { ToolFile } from '../support/tool-file.ts';
import { first } from '../support/written.ts';

export default {
  written: [
    {
      said: { ...first, kind: 'boxset', title: 'Box', description: null, setIds: ['1', 2] },
      meant: { ...first, kind: 'boxset', title: 'Box', description: null, setIds: [1, 2] },
    },
  ],
  changes: [
    {
      name: 'create_group',
      needs: [['groups:write']],
      touches: { kind: 'group', title: /^Boxset / },
      sharedPath: '/me/groups',
      revision: 'none',
      async prepare(workshop) {
        const title = `Boxset ${randomUUID()}`;
        const lookup = { path: '/me/upload-destinations', query: { q: title } };
        return workshop.json('/me/groups', { expectedUpdatedAt: null, kind: 'boxset', title }, null, lookup);
      },
    },
  ],
} satisfies ToolFile;
