import type { ToolFile } from '../support/tool-file.ts';

export default {
  written: [{ said: {} }, { said: { scopes: ['assets:write'] } }],
  call: () => ({}),
} satisfies ToolFile;
