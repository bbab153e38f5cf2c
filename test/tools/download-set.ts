import type { ToolFile } from '../support/tool-file.ts';

export default {
  written: [
    {
      said: { kind: 'boxset', id: '7', layout: 'kodi', slots: ['posters'], languageCode: 'en', dryRun: true },
    },
  ],
  call: async (workshop) => ({ kind: 'movie_set', id: await workshop.movieSet(), layout: 'original' }),
} satisfies ToolFile;
