import type { ToolFile } from '../support/tool-file.ts';

export default {
  written: [
    { said: {} },
    { said: { add: [{ kind: 'shows', id: '7' }], remove: [{ kind: 'boxset', id: 3 }] } },
  ],
  call: async (workshop) => ({ add: [{ kind: 'movie', id: await workshop.movie() }] }),
} satisfies ToolFile;
