import type { ToolFile } from '../support/tool-file.ts';

export default {
  wishes: {
    spoken: [
      { said: 'What is in this boxset?' },
      { said: 'Which pictures does this set lack?', also: ['audit_sets'] },
      { said: 'Who made this set, and what does it contain?' },
    ],
    asked: [
      { said: 'Open that loadout', query: 'get loadout contents' },
      { said: 'Who is the creator of this set?', query: 'get set details creator', also: ['find_titles'] },
    ],
    heldApart: [
      { said: 'What do I find in boxset 40?', query: 'read boxset' },
      { said: 'Show what the set has for season two', query: 'get set season pictures' },
    ],
  },
  written: [{ said: { kind: 'show_set', id: '7', season: '0' } }],
  needsAccount: false,
  call: async (workshop) => ({ kind: 'movie_set', id: await workshop.movieSet() }),
} satisfies ToolFile;
