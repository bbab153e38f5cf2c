import type { ToolFile } from '../support/tool-file.ts';

export default {
  wishes: {
    spoken: [
      { said: 'Download this set for my Plex server' },
      { said: 'Save all the artwork to disk, named for Kodi' },
      { said: 'Export the set with file names for Jellyfin' },
    ],
    asked: [
      { said: 'Get this boxset onto my hard drive for Kometa', query: 'download boxset kometa' },
      { said: 'Save a local copy of these posters', query: 'download artwork posters to disk' },
    ],
    heldApart: [
      { said: 'Fetch the set into my Jellyfin library', query: 'download set for jellyfin' },
      { said: 'Store the pictures of this boxset on my disk', query: 'save boxset pictures to disk' },
    ],
  },
  written: [
    {
      said: { kind: 'boxset', id: '7', layout: 'kodi', slots: ['posters'], languageCode: 'en', dryRun: true },
    },
  ],
  unguarded: 'writes files below the download root, and changes nothing on the service',
  needsAccount: false,
  call: async (workshop) => ({ kind: 'movie_set', id: await workshop.movieSet(), layout: 'original' }),
} satisfies ToolFile;
