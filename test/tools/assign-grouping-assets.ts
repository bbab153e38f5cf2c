import { owned } from '../support/workshop.ts';
import type { ToolFile } from '../support/tool-file.ts';
import { later, assetId } from '../support/written.ts';

export default {
  written: [
    {
      said: {
        ...later,
        setId: '5',
        items: [
          {
            existingAssetId: assetId,
            expectedAssetUpdatedAt: 'r',
            targetKind: 'Episodes',
            targetId: '9',
            slot: 'titlecards',
          },
        ],
      },
      meant: {
        ...later,
        setId: 5,
        items: [
          {
            existingAssetId: assetId,
            expectedAssetUpdatedAt: 'r',
            targetKind: 'episode',
            targetId: 9,
            slot: 'titlecard',
          },
        ],
      },
    },
  ],
  changes: [
    {
      name: 'assign_grouping_assets',
      needs: [['sets:write']],
      touches: { kind: 'set', title: /^Category Set / },
      revision: 'read',
      async prepare(workshop) {
        const [set, asset] = [await workshop.newSet(), await workshop.newAsset()];
        const item = {
          existingAssetId: asset.assetId,
          expectedAssetUpdatedAt: asset.updatedAt,
          targetKind: 'category',
          targetId: await workshop.category(),
          slot: 'poster',
        };
        const assign = { setId: set.id, expectedUpdatedAt: set.updatedAt, items: [item] };
        return workshop.json(`/me/grouping-sets/${set.id}/assets`, assign, owned('set', set.id));
      },
    },
  ],
} satisfies ToolFile;
