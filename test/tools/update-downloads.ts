import type { ToolFile } from '../support/tool-file.ts';

export default {
  wishes: {
    spoken: [
      { said: 'Bring my downloaded posters up to date' },
      { said: 'Refresh the artwork that you saved to disk' },
      { said: 'Update the downloads in my Plex library' },
    ],
    asked: [
      { said: 'Are there newer versions of what I downloaded?', query: 'update downloaded artwork' },
      { said: 'Sync my artwork folder with the catalogue', query: 'sync downloads up to date' },
    ],
    heldApart: [
      { said: 'Keep the saved artwork current', query: 'refresh downloaded artwork' },
      { said: 'Replace outdated pictures on my disk', query: 'update downloads on disk' },
    ],
  },
  written: [{ said: { dryRun: true } }],
  unguarded: 'writes files below the download root, and changes nothing on the service',
  needsAccount: false,
  call: async () => ({ dryRun: true }),
} satisfies ToolFile;
