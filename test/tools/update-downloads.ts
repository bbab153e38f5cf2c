import type { ToolFile } from '../support/tool-file.ts';

export default {
  written: [{ said: { dryRun: true } }],
  call: async () => ({ dryRun: true }),
} satisfies ToolFile;
