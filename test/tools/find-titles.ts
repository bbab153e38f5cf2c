import type { ToolFile } from '../support/tool-file.ts';

export default {
  written: [
    { said: { query: 'firefly', kind: 'Shows', limit: '5' } },
    { said: { targetKind: 'movies', targetId: '12', cursor: 'c' } },
    { said: { createdBy: 'ada' } },
  ],
  call: () => ({ query: 'firefly' }),
} satisfies ToolFile;
