import type { ToolFile } from '../support/tool-file.ts';

export default {
  written: [{ said: { since: '2026-11-16T00:00:00Z', scope: 'watched', slot: 'Posters' } }],
  call: () => ({ scope: 'all' }),
} satisfies ToolFile;
