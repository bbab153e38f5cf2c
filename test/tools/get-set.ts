import type { ToolFile } from '../support/tool-file.ts';

export default {
  written: [{ said: { kind: 'show_set', id: '7', season: '0' } }],
  call: async (workshop) => ({ kind: 'movie_set', id: await workshop.movieSet() }),
} satisfies ToolFile;
