import type { ToolFile } from '../support/tool-file.ts';

export default {
  written: [{ said: {} }],
  call: () => ({}),
} satisfies ToolFile;
