import type { ToolFile } from '../support/tool-file.ts';

export default {
  wishes: {
    spoken: [{ said: 'Whom do I follow?' }, { said: 'Which creators am I following?' }],
    asked: [{ said: 'Show me everyone I have hidden', query: 'list hidden users' }],
    heldApart: [
      { said: 'Who is on my list of follows?', query: 'list follows' },
      { said: 'What have I hidden?', query: 'list hidden' },
    ],
  },
  written: [{ said: { limit: '4' } }],
  needsAccount: true,
  call: () => ({}),
  rights: [{ name: 'of one’s own', needs: [['relationships:write']], call: () => ({}) }],
} satisfies ToolFile;
