import type { ToolFile } from '../support/tool-file.ts';

export default {
  written: [
    { said: {} },
    { said: { add: [{ kind: 'shows', id: '7' }], remove: [{ kind: 'boxset', id: 3 }] } },
  ],
  unguarded: 'keeps a list on this machine, and changes nothing on the service',
  needsAccount: false,
  call: async (workshop) => ({ add: [{ kind: 'movie', id: await workshop.movie() }] }),
} satisfies ToolFile;
