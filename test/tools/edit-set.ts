import { randomUUID } from 'node:crypto';
import { writePoster } from '../support/unique-pictures.ts';
import { owned } from '../support/workshop.ts';
import type { ToolFile } from '../support/tool-file.ts';
import { later, assetId } from '../support/written.ts';

export default {
  written: [
    {
      said: {
        ...later,
        setId: '12',
        setKind: 'media_set',
        metadata: { languageCode: null, editionId: 'x' },
        items: [
          { operation: 'add', file: '/a.png', targetKind: 'Episodes', targetId: '9', slot: 'titlecards' },
          {
            operation: 'asset_metadata',
            targetKind: 'Episodes',
            targetId: '9',
            slot: 'titlecards',
            existingAssetId: assetId,
            expectedAssetUpdatedAt: 'r',
            editionId: 4,
          },
        ],
      },
      meant: {
        ...later,
        setId: 12,
        setKind: 'media_set',
        metadata: { languageCode: null, editionId: 'x' },
        items: [
          { operation: 'add', file: '/a.png', targetKind: 'episode', targetId: 9, slot: 'titlecard' },
          {
            operation: 'asset_metadata',
            targetKind: 'episode',
            targetId: 9,
            slot: 'titlecard',
            existingAssetId: assetId,
            expectedAssetUpdatedAt: 'r',
            editionId: 4,
          },
        ],
      },
    },
  ],
  submission: {
    name: 'edit_set',
    needs: [['sets:write'], ['assets:write']],
    touches: { kind: 'set', title: /^Edited / },
    revision: 'read',
    sharedPaths: { admission: null, transfer: null, completion: '/me/set-updates/*/complete' },
    async prepare(workshop) {
      const itemId = randomUUID();
      const { id, updatedAt } = await workshop.newSet();
      const add = {
        operation: 'add',
        targetKind: 'category',
        targetId: await workshop.category(),
        slot: 'poster',
      };
      return {
        arguments: {
          clientMutationId: randomUUID(),
          expectedUpdatedAt: updatedAt,
          setId: id,
          setKind: 'category_set',
          metadata: { titleBase: `Edited ${itemId}` },
          items: [{ itemId, file: await writePoster(workshop.folder), ...add }],
        },
        read: owned('set', id).read,
        posts: {
          admission: { path: `/me/sets/${id}/updates` },
          transfer: { path: '/me/set-updates/*/assets', query: { itemId } },
          completion: { path: '/me/set-updates/*/complete' },
        },
      };
    },
  },
  rights: [
    {
      name: 'its metadata',
      needs: [['sets:write']],
      async call(workshop) {
        const { id, updatedAt } = await workshop.newSet();
        return {
          clientMutationId: randomUUID(),
          expectedUpdatedAt: updatedAt,
          setId: id,
          setKind: 'category_set',
          metadata: { titleBase: `Edited ${id}` },
          dryRun: true,
        };
      },
    },
  ],
} satisfies ToolFile;
