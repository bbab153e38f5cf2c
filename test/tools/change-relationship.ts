import type { ToolFile } from '../support/tool-file.ts';
import { later } from '../support/written.ts';

export default {
  written: [{ said: { ...later, targetKind: 'user', targetId: 'ada', relationship: 'follow' } }],
  changes: [
    {
      name: 'change_relationship',
      needs: [['relationships:write']],
      touches: { kind: 'user' },
      sharedPath: '/me/relationships',
      revision: 'read',
      async prepare(workshop) {
        const { targetId, relationship: known, updatedAt } = await workshop.takeOther();
        const relationship = known === 'follow' ? 'hide' : 'follow';
        const change = { targetKind: 'user', targetId, relationship, expectedUpdatedAt: updatedAt };
        const there = { path: '/me/relationships', read: { tool: 'list_relationships', arguments: {} } };
        return {
          ...workshop.json('/me/relationships', change, there),
          free: () => workshop.giveBack(targetId),
        };
      },
    },
  ],
} satisfies ToolFile;
