import type { ToolFile } from '../support/tool-file.ts';

export default {
  written: [
    {
      said: { feed: 'assets', since: '2026-11-16', targetKind: 'Episode', targetId: '4', slot: 'titlecards' },
    },
  ],
  call: () => ({ feed: 'assets' }),
} satisfies ToolFile;
