import type { ToolFile } from '../support/tool-file.ts';

export default {
  wishes: {
    spoken: [
      { said: 'Which id does the movie Alien have?' },
      { said: 'Find sets by this artist' },
      { said: 'Look up The Expanse', also: ['get_entity'] },
    ],
    asked: [
      { said: 'Is there a game called Hollow Knight in the catalogue?', query: 'search game by title' },
      { said: 'Search for sets by a certain creator', query: 'search sets by creator name' },
    ],
    heldApart: [
      { said: 'Do you know the series Slow Horses?', query: 'find tv series by name' },
      { said: 'I need the number of the person Tilda Swinton', query: 'find person id' },
      { said: 'Which sets has lumen_art made?', query: 'find sets of a creator' },
      { said: 'Which episode is "The Constant"?', query: 'search episode by name' },
    ],
  },
  written: [
    { said: { query: 'firefly', kind: 'Shows', limit: '5' } },
    { said: { targetKind: 'movies', targetId: '12', cursor: 'c' } },
    { said: { createdBy: 'ada' } },
  ],
  needsAccount: false,
  call: () => ({ query: 'firefly' }),
} satisfies ToolFile;
