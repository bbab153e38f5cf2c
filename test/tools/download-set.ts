import type { ToolFile } from '../support/tool-file.ts';

export default {
  written: [
    {
      said: { kind: 'boxset', id: '7', layout: 'kodi', slots: ['posters'], languageCode: 'en', dryRun: true },
    },
  ],
  unguarded: 'writes files below the download root, and changes nothing on the service',
  needsAccount: false,
  call: async (workshop) => ({ kind: 'movie_set', id: await workshop.movieSet(), layout: 'original' }),
} satisfies ToolFile;
