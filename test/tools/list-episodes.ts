import type { ToolFile } from '../support/tool-file.ts';

export default {
  written: [{ said: {} }, { said: { limit: '3' } }],
  call: () => ({}),
} satisfies ToolFile;
