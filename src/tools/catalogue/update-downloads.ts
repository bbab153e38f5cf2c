import { z } from 'zod';
import { openDownloads } from '../../curation/download/download.ts';
import { updateReport } from '../../curation/download/report.ts';
import { updateDownloads } from '../../curation/download/update.ts';
import { readResult } from '../../mcp/arguments.ts';
import { defineTool } from '../../mcp/tool.ts';

const input = z.strictObject({
  dryRun: z.boolean().optional().meta({ description: 'show what would be written', brief: 'only show what' }),
});

export const updateDownloadsTool = defineTool({
  name: 'update_downloads',
  title: 'Update downloads: bring what changed to disk',
  toolset: 'catalogue',
  description:
    'Update the artwork that download_set saved to disk: replaces what changed in the catalogue since, if nobody changed the file. Follow `next` until there is none.',
  searchHint:
    'refresh sync update downloaded artwork keep up to date disk library plex jellyfin kodi kometa new posters replaced',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  input,
  output: readResult.extend({ next: z.unknown().optional() }),
  async run({ dryRun = false }, context) {
    const ports = await openDownloads(context, context.deadline, (done, total) =>
      context.progress(done, total, 'Sets looked after'),
    );
    const update = await updateDownloads(ports, dryRun);
    const { data, omitted } = updateReport(update);
    const again = (why: string) => ({ tool: 'update_downloads', arguments: dryRun ? { dryRun } : {}, why });
    const isPending = update.looked.some(({ outcome }) => outcome.is === 'pending');
    const gotOn = update.looked.some(({ outcome }) => outcome.is === 'same' || outcome.is === 'looked');
    const would = (data.files.would_write ?? 0) + (data.files.would_replace ?? 0) > 0;
    const next = dryRun
      ? would
        ? { tool: 'update_downloads', arguments: {}, why: 'It writes what this shows.' }
        : null
      : update.feedsCut || (isPending && !gotOn)
        ? {
            why: 'The time of a call is too short for it. A person runs `artwork-mcp update`, which has no such limit.',
          }
        : isPending
          ? again('It goes on with the rest.')
          : null;
    return {
      structured: { data, omitted, nextCursor: null, ...(next === null ? {} : { next }) },
    };
  },
});
