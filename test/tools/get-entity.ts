import type { ToolFile } from '../support/tool-file.ts';

export default {
  written: [{ said: { kind: 'People', id: '7', include: ['assets.posters'], limit: 200 } }],
  call: async (workshop) => ({ kind: 'movie', id: await workshop.movie() }),
} satisfies ToolFile;
