import type { ToolFile } from '../support/tool-file.ts';

export default {
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
  async call(workshop) {
    const { id, target } = await workshop.ownSet();
    return { folder: workshop.folder, entryTargetKind: target.kind, entryTargetId: target.id, setId: id };
  },
} satisfies ToolFile;
