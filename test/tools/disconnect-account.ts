import type { ToolFile } from '../support/tool-file.ts';

export default {
  written: [{ said: {} }],
  unguarded: 'ends what the person can end anyway, and is harmless when repeated',
  needsAccount: false,
  call: () => ({}),
} satisfies ToolFile;
