import { z } from 'zod';
import { openDownloads } from '../../curation/download/download.ts';
import { updateReport } from '../../curation/download/report.ts';
import { type UpdatedDownload, updateDownloads } from '../../curation/download/update.ts';
import type { Next } from '../../errors.ts';
import { defineTool } from '../../mcp/tool.ts';
import { ownCommand } from '../../own-command.ts';
import { answerOf, readAnswer } from '../answer.ts';

export const updateDownloadsTool = defineTool({
  name: 'update_downloads',
  title: 'Update downloads: bring what changed to disk',
  toolset: 'catalogue',
  description:
    'Update the artwork that download_set saved to disk. It replaces files whose picture has changed in the catalogue, unless somebody changed the file. Follow `next` until there is none.',
  searchHint:
    'refresh sync downloaded keep up to date library plex jellyfin kodi kometa new posters replaced',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  input: z.strictObject({ dryRun: z.boolean().optional().describe('only show what') }),
  output: readAnswer,
  async run({ dryRun = false }, context) {
    const ports = await openDownloads(context, context.deadline);
    const updated = await updateDownloads(ports, dryRun);
    const data = updateReport(updated);
    return answerOf({ data, next: dryRun ? afterDryRun(data.files) : afterUpdate(updated) });
  },
});

function afterDryRun({
  would_write: news = 0,
  would_replace: changed = 0,
}: Readonly<Record<string, number>>) {
  if (news + changed === 0) return undefined;
  return { tool: 'update_downloads', arguments: {}, why: 'This writes what the dry run shows.' };
}

function afterUpdate(updated: readonly UpdatedDownload[]): Next | undefined {
  const has = (...outcomes: readonly string[]) =>
    updated.some(({ outcome: { is } }) => outcomes.includes(is));
  if (!has('pending')) return undefined;
  if (has('looked')) return { tool: 'update_downloads', arguments: {}, why: 'This goes on with the rest.' };
  return {
    why: `A call has too little time for this. A person runs \`${ownCommand('update')}\`, which has no time limit.`,
  };
}
