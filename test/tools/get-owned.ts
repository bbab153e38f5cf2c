import type { ToolFile } from '../support/tool-file.ts';
import { assetId } from '../support/written.ts';

export default {
  written: [
    { said: { type: 'set', id: '7' } },
    { said: { type: 'group', id: 7 } },
    { said: { type: 'asset', id: assetId, limit: '9' } },
  ],
  call: async (workshop) => ({ type: 'set', id: (await workshop.ownSet()).id }),
  rights: [
    {
      name: 'an Asset',
      needs: [['assets:write', 'assets:replace']],
      call: async (workshop) => ({ type: 'asset', id: (await workshop.newAsset()).assetId }),
    },
    {
      name: 'a Set',
      needs: [['sets:write']],
      call: async (workshop) => ({ type: 'set', id: (await workshop.newSet()).id }),
    },
    {
      name: 'a group',
      needs: [['groups:write']],
      call: async (workshop) => ({ type: 'group', id: (await workshop.newGroup()).id }),
    },
  ],
} satisfies ToolFile;
