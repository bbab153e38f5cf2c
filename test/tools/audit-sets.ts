import type { ToolFile } from '../support/tool-file.ts';

export default {
  written: [
    { said: { mine: true } },
    { said: { kind: 'boxset', id: '4' } },
    { said: { targetKind: 'Shows', targetId: '4' } },
  ],
  call: async (workshop) => ({ kind: 'movie_set', id: await workshop.movieSet() }),
} satisfies ToolFile;
