import type { ToolFile } from '../support/tool-file.ts';

export default {
  wishes: {
    spoken: [
      { said: 'title cards folder' },
      {
        said: 'I have a folder of title cards for season two, make a Set of them',
        also: ['create_media_set'],
      },
      { said: 'Match the pictures in this directory to the episodes' },
    ],
    asked: [
      {
        said: 'Sort the scans in my pictures folder into seasons',
        query: 'match folder of images to seasons',
      },
    ],
    heldApart: [
      { said: 'Here is a folder with posters for all seasons', query: 'folder of posters to set' },
      { said: 'Which picture belongs to which episode?', query: 'match pictures to episodes' },
    ],
  },
  written: [
    {
      said: {
        folder: '/cards',
        entryTargetKind: 'Show',
        entryTargetId: '7',
        setId: '3',
        slot: 'titlecards',
        page: true,
      },
    },
    {
      said: {
        folder: '/cards',
        entryTargetKind: 'movies',
        entryTargetId: 7,
        alsoCalled: ['Dune'],
        languageCode: 'de',
      },
    },
  ],
  unguarded: 'keeps a plan on this machine, and sends nothing',
  needsAccount: true,
  async call(workshop) {
    const { id, target } = await workshop.ownSet();
    return { folder: workshop.folder, entryTargetKind: target.kind, entryTargetId: target.id, setId: id };
  },
} satisfies ToolFile;
