import type { ToolFile } from '../support/tool-file.ts';

export default {
  written: [{ said: { count: 2 } }, { said: { count: '2' } }],
  call: () => ({ count: 1 }),
} satisfies ToolFile;
