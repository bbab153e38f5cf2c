import type { ToolFile } from '../support/tool-file.ts';

export default {
  written: [{ said: { count: 2 } }, { said: { count: '2' } }],
  needsAccount: false,
  call: () => ({ count: 1 }),
} satisfies ToolFile;
