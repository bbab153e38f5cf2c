import type { ToolFile } from '../support/tool-file.ts';
import { mutationId } from '../support/written.ts';

export default {
  wishes: {
    spoken: [
      { said: 'tv show poster', also: ['get_entity'] },
      { said: 'compare posters side by side' },
      { said: 'Show me the poster of Firefly' },
      { said: 'I want to see all logos of this film next to each other' },
    ],
    asked: [
      { said: 'Display both backdrops together so I can choose', query: 'view compare backdrop images' },
      { said: 'Let me see the title cards of season three', query: 'view title cards season' },
    ],
    heldApart: [
      { said: 'Let me look at that poster', query: 'view poster' },
      { said: 'Put these four logos next to each other', query: 'compare logos' },
      {
        said: 'Show me the picture before I upload it',
        query: 'preview image file before upload',
        also: ['upload_asset'],
      },
    ],
  },
  written: [
    {
      said: {
        items: [{ kind: 'show', id: '7', slot: 'posters' }, { file: '/a.png' }],
        planId: mutationId,
        size: '300',
        page: true,
      },
    },
  ],
  needsAccount: false,
  call: async (workshop) => ({ items: [{ kind: 'movie', id: await workshop.movie() }] }),
} satisfies ToolFile;
