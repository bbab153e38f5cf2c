import type { ToolFile } from '../support/tool-file.ts';

export default {
  written: [{ said: { dryRun: true } }],
  unguarded: 'writes files below the download root, and changes nothing on the service',
  needsAccount: false,
  call: async () => ({ dryRun: true }),
} satisfies ToolFile;
