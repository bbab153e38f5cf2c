import type { ToolFile } from '../support/tool-file.ts';

export default {
  wishes: {
    spoken: [
      { said: 'Tell me when the artwork of Severance changes' },
      { said: 'Stop watching that show' },
      { said: 'Notify me about new artwork for this show' },
    ],
    asked: [
      { said: 'Keep an eye on this movie for me', query: 'watch movie for artwork changes' },
      { said: 'What is on my watch list?', query: 'watch list' },
    ],
    heldApart: [
      { said: 'Watch this boxset', query: 'watch boxset' },
      { said: 'Let me know when there is new artwork for Andor', query: 'notify when show artwork changes' },
    ],
  },
  written: [
    { said: {} },
    { said: { add: [{ kind: 'shows', id: '7' }], remove: [{ kind: 'boxset', id: 3 }] } },
  ],
  unguarded: 'keeps a list on this machine, and changes nothing on the service',
  needsAccount: false,
  call: async (workshop) => ({ add: [{ kind: 'movie', id: await workshop.movie() }] }),
} satisfies ToolFile;
