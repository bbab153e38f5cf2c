import type { ToolFile } from '../support/tool-file.ts';
import { mutationId } from '../support/written.ts';

export default {
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
  call: async (workshop) => ({ items: [{ kind: 'movie', id: await workshop.movie() }] }),
} satisfies ToolFile;
