import { randomUUID } from 'node:crypto';
import { owned } from '../support/workshop.ts';
import type { ToolFile } from '../support/tool-file.ts';
import { first } from '../support/written.ts';

export default {
  written: [
    {
      said: {
        ...first,
        file: '/a.png',
        operation: 'add',
        targetKind: 'Episodes',
        targetId: '9',
        slot: 'titlecards',
        languageCode: 'en',
      },
      meant: {
        ...first,
        file: '/a.png',
        operation: 'add',
        targetKind: 'episode',
        targetId: 9,
        slot: 'titlecard',
        languageCode: 'en',
      },
    },
  ],
  changes: [
    {
      name: 'upload_asset, add',
      needs: [['assets:write']],
      touches: { kind: 'asset', title: /^\p{L}.* poster$/u },
      revision: 'none',
      async prepare(workshop) {
        return workshop.upload({ path: '/me/assets' }, await workshop.toCategory());
      },
    },
    {
      name: 'upload_asset, replace',
      needs: [['assets:replace']],
      touches: { kind: 'asset', title: /^\p{L}.* poster$/u },
      revision: 'read',
      async prepare(workshop) {
        const { assetId, updatedAt } = await workshop.newAsset();
        const replace = { operation: 'replace', previousAssetId: assetId, expectedUpdatedAt: updatedAt };
        return workshop.upload(
          { path: '/me/assets' },
          { ...(await workshop.toCategory()), ...replace },
          owned('asset', assetId),
        );
      },
    },
    {
      name: 'upload_asset, into a Set',
      needs: [['assets:write'], ['sets:write']],
      touches: { kind: 'asset', title: /^Category Set .* poster$/ },
      revision: 'read',
      async prepare(workshop) {
        const { id, updatedAt } = await workshop.newSet();
        const into = { operation: 'add', slot: 'poster', setId: id, expectedUpdatedAt: updatedAt };
        return workshop.upload({ path: `/me/sets/${id}/assets` }, into, owned('set', id));
      },
    },
    {
      name: 'upload_asset, poster of a group',
      needs: [['assets:write'], ['groups:write']],
      touches: { kind: 'asset', title: /^Boxset .* poster$/ },
      revision: 'read',
      async prepare(workshop) {
        const { id, updatedAt } = await workshop.newGroup();
        const onto = { operation: 'add', slot: 'poster', groupId: id, expectedUpdatedAt: updatedAt };
        return workshop.upload({ path: `/me/groups/${id}/poster` }, onto, owned('group', id));
      },
    },
  ],
  rights: [
    {
      name: 'replaced poster of a group',
      needs: [['assets:replace'], ['groups:write']],
      async call(workshop) {
        const { id, updatedAt } = await workshop.newGroup();
        const onto = { operation: 'add', slot: 'poster', groupId: id };
        const added = await workshop.upload(
          { path: `/me/groups/${id}/poster` },
          { ...onto, expectedUpdatedAt: updatedAt },
        );
        const receipt = await workshop.succeed('upload_asset', added.arguments);
        return {
          ...added.arguments,
          operation: 'replace',
          previousAssetId: receipt.assetId,
          expectedUpdatedAt: receipt.updatedAt,
          clientMutationId: randomUUID(),
          dryRun: true,
        };
      },
    },
  ],
} satisfies ToolFile;
