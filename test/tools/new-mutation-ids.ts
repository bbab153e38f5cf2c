import type { ToolFile } from '../support/tool-file.ts';

export default {
  wishes: {
    spoken: [{ said: 'I need an id for a new upload' }],
    asked: [{ said: 'Draw five ids for my edits', query: 'generate mutation ids' }],
    heldApart: [{ said: 'Prepare ids, we will make three changes', query: 'new mutation ids' }],
  },
  written: [{ said: { count: 2 } }, { said: { count: '2' } }],
  needsAccount: false,
  call: () => ({ count: 1 }),
} satisfies ToolFile;
