import { writeAnimation } from '../support/unique-pictures.ts';
import { owned } from '../support/workshop.ts';
import type { ToolFile } from '../support/tool-file.ts';
import { later, assetId } from '../support/written.ts';

export default {
  written: [
    {
      said: { ...later, assetId, selectedSourceFrame: '3', extra: { a: [1] } },
      meant: { ...later, assetId, selectedSourceFrame: 3, extra: { a: [1] } },
    },
  ],
  changes: [
    {
      name: 'select_preview_frame',
      needs: [['assets:replace']],
      touches: { kind: 'asset', title: /^\p{L}.* poster$/u },
      revision: 'read',
      async prepare(workshop) {
        const { assetId, updatedAt } = await workshop.newAsset(await writeAnimation(workshop.folder));
        const select = { assetId, expectedUpdatedAt: updatedAt, selectedSourceFrame: 2 };
        return workshop.json(`/me/assets/${assetId}/preview`, select, owned('asset', assetId));
      },
    },
  ],
} satisfies ToolFile;
