import type { ToolFile } from '../support/tool-file.ts';

export default {
  written: [{ said: { limit: '4' } }],
  call: () => ({}),
  rights: [{ name: 'of one’s own', needs: [['relationships:write']], call: () => ({}) }],
} satisfies ToolFile;
