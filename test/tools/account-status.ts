import type { ToolFile } from '../support/tool-file.ts';

export default {
  written: [{ said: {} }],
  needsAccount: false,
  call: () => ({}),
} satisfies ToolFile;
