import type { ToolFile } from '../support/tool-file.ts';

export default {
  wishes: {
    spoken: [
      { said: "What's new since last Monday?" },
      { said: 'Which posters were replaced lately?', also: ['read_feed'] },
      { said: 'Has anybody updated posters in the past week?' },
    ],
    asked: [
      { said: 'What was updated yesterday?', query: 'recent updates changes list', also: ['read_feed'] },
      { said: 'Any news from the people I follow?', query: 'recent changes followed creators' },
    ],
    heldApart: [
      { said: 'What happened to my shows this week?', query: 'list recent artwork changes' },
      { said: 'Which posters are new since I last looked?', query: 'new posters since last look' },
      { said: 'What did the creators whom I follow add?', query: 'changes by followed creators' },
    ],
  },
  written: [{ said: { since: '2026-11-16T00:00:00Z', scope: 'watched', slot: 'Posters' } }],
  needsAccount: false,
  call: () => ({ scope: 'all' }),
} satisfies ToolFile;
