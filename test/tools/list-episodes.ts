import type { ToolFile } from '../support/tool-file.ts';

export default {
  wishes: {
    spoken: [{ said: 'List every episode there is' }],
    asked: [],
    heldApart: [{ said: 'I would like to read through all episodes', query: 'list all episodes' }],
  },
  written: [{ said: {} }, { said: { limit: '3' } }],
  needsAccount: false,
  call: () => ({}),
} satisfies ToolFile;
