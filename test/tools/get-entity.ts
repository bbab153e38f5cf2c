import type { ToolFile } from '../support/tool-file.ts';

export default {
  wishes: {
    spoken: [
      { said: 'How many seasons does The Wire have?' },
      { said: 'What artwork does this movie have, look it up', also: ['view_artwork'] },
    ],
    asked: [
      {
        said: 'Tell me about the second season of Dark',
        query: 'get season details tv show',
        also: ['find_titles'],
      },
      { said: 'Which company made this film?', query: 'movie details company', also: ['find_titles'] },
    ],
    heldApart: [
      { said: 'What does the catalogue say about the movie Heat?', query: 'look up movie facts' },
      { said: 'List the seasons of The Bear', query: 'get show seasons' },
      { said: 'Which artwork is there for this game?', query: 'get game artwork', also: ['view_artwork'] },
      { said: 'Tell me what network 12 is', query: 'look up network' },
    ],
  },
  written: [{ said: { kind: 'People', id: '7', include: ['assets.posters'], limit: 200 } }],
  needsAccount: false,
  call: async (workshop) => ({ kind: 'movie', id: await workshop.movie() }),
} satisfies ToolFile;
