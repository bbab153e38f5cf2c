import type { ToolFile } from '../support/tool-file.ts';

export default {
  wishes: {
    spoken: [
      { said: 'Which of my uploads are still unfinished?' },
      { said: 'Show the history of what I uploaded' },
    ],
    asked: [
      { said: 'What have I changed this week?', query: 'list my changes history', also: ['list_changes'] },
    ],
    heldApart: [
      { said: 'Is anything of mine still pending?', query: 'list unfinished changes' },
      { said: 'What did I upload before?', query: 'list my uploads' },
    ],
  },
  written: [{ said: { state: 'open', since: '2026-11-16' } }],
  needsAccount: true,
  call: () => ({}),
} satisfies ToolFile;
