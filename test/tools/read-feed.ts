import type { ToolFile } from '../support/tool-file.ts';

export default {
  wishes: {
    spoken: [{ said: 'Give me the raw feed of recent updates' }],
    asked: [],
    heldApart: [{ said: 'Page through the change feed for me', query: 'read feed of changes' }],
  },
  written: [
    {
      said: { feed: 'assets', since: '2026-11-16', targetKind: 'Episode', targetId: '4', slot: 'titlecards' },
    },
  ],
  needsAccount: false,
  call: () => ({ feed: 'assets' }),
} satisfies ToolFile;
