import type { ToolFile } from '../support/tool-file.ts';

export default {
  wishes: {
    spoken: [
      { said: 'Which title cards are missing in my sets?' },
      { said: 'Check my sets for wrong aspect ratios' },
      { said: 'Which of my sets have gaps?' },
      { said: 'Are there duplicates in my set?' },
    ],
    asked: [
      { said: 'Find mistakes in my sets', query: 'check my sets for errors problems' },
      {
        said: 'Which episodes have no title card yet in my set?',
        query: 'missing title cards in set',
        also: ['get_set'],
      },
    ],
    heldApart: [
      { said: 'Are all title cards there?', query: 'check set for missing title cards' },
      { said: 'Look for wrong languages in my sets', query: 'audit sets for wrong language' },
      { said: 'Do I have pictures twice?', query: 'find duplicate pictures in set' },
    ],
  },
  written: [
    { said: { mine: true } },
    { said: { kind: 'boxset', id: '4' } },
    { said: { targetKind: 'Shows', targetId: '4' } },
  ],
  needsAccount: false,
  call: async (workshop) => ({ kind: 'movie_set', id: await workshop.movieSet() }),
} satisfies ToolFile;
