import type { ToolFile } from '../support/tool-file.ts';

export default {
  written: [{ said: { kind: 'media_set', family: 'game', q: 'dune' } }],
  call: () => ({ kind: 'media_set' }),
  rights: [
    { name: 'in Talent Sets', needs: [['sets:write']], call: () => ({ kind: 'talent_set' }) },
    { name: 'in media Sets', needs: [['sets:write']], call: () => ({ kind: 'media_set' }) },
    { name: 'in groups', needs: [['groups:write']], call: () => ({ kind: 'boxset' }) },
  ],
} satisfies ToolFile;
