import type { ToolFile } from '../support/tool-file.ts';

export default {
  written: [{ said: {} }, { said: { scopes: ['assets:write'] } }],
  unguarded: 'a person agrees on a page of the service; nothing in the catalogue changes',
  needsAccount: false,
  call: () => ({}),
} satisfies ToolFile;
