import { owned } from '../support/workshop.ts';
import type { ToolFile } from '../support/tool-file.ts';
import { later, assetId } from '../support/written.ts';

export default {
  written: [{ said: { ...later, assetId, languageCode: null, editionId: 4 } }],
  changes: [
    {
      name: 'edit_asset_metadata',
      needs: [['assets:write']],
      touches: { kind: 'asset', title: /^\p{L}.* poster$/u },
      revision: 'read',
      async prepare(workshop) {
        const { assetId, updatedAt } = await workshop.newAsset();
        const edit = { assetId, expectedUpdatedAt: updatedAt, languageCode: 'fr' };
        return {
          ...workshop.json(`/me/assets/${assetId}/metadata`, edit, owned('asset', assetId)),
          // The wire carries no identity here.
          made: ({ resource, operation }) => resource.id === assetId && operation === 'asset.metadata',
        };
      },
    },
  ],
} satisfies ToolFile;
