import type { ToolFile } from '../support/tool-file.ts';

export default {
  written: [{ said: { state: 'open', since: '2026-11-16' } }],
  call: () => ({}),
} satisfies ToolFile;
