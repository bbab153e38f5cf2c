import { randomUUID } from 'node:crypto';
import { writePoster } from '../support/unique-pictures.ts';
import type { ToolFile } from '../support/tool-file.ts';
import { first } from '../support/written.ts';

export default {
  written: [
    {
      said: {
        ...first,
        entryTargetKind: 'SHOW',
        entryTargetId: '1',
        titleBase: 'Cards',
        languageCode: 'en',
        finalised: false,
        destination: { id: '0012' },
        declaredFiles: [
          {
            file: '/a.png',
            targetKind: 'Episodes',
            targetId: '9',
            slot: 'titlecards',
            position: '0',
            selectedSourceFrame: '2',
          },
        ],
      },
      meant: {
        ...first,
        entryTargetKind: 'show',
        entryTargetId: 1,
        titleBase: 'Cards',
        languageCode: 'en',
        finalised: false,
        destination: { id: '0012' },
        declaredFiles: [
          {
            file: '/a.png',
            targetKind: 'episode',
            targetId: 9,
            slot: 'titlecard',
            position: 0,
            selectedSourceFrame: 2,
          },
        ],
      },
    },
  ],
  submission: {
    name: 'create_media_set',
    needs: [['sets:write'], ['assets:write']],
    touches: { kind: 'set', title: /^Set / },
    revision: 'none',
    sharedPaths: { admission: '/me/set-uploads', transfer: null, completion: '/me/set-uploads/*/complete' },
    async prepare(workshop) {
      const [itemId, targetId] = [randomUUID(), await workshop.movie()];
      const file = await writePoster(workshop.folder);
      return {
        arguments: {
          clientMutationId: randomUUID(),
          expectedUpdatedAt: null,
          entryTargetKind: 'movie',
          entryTargetId: targetId,
          titleBase: `Set ${itemId}`,
          languageCode: 'en',
          finalised: false,
          declaredFiles: [{ itemId, file, targetKind: 'movie', targetId, slot: 'poster' }],
        },
        read: null,
        posts: {
          admission: { path: '/me/set-uploads' },
          transfer: { path: '/me/set-uploads/*/assets', query: { itemId } },
          completion: { path: '/me/set-uploads/*/complete' },
        },
      };
    },
  },
} satisfies ToolFile;
