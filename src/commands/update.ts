import { withServices } from '../app/services.ts';
import { openDownloads } from '../curation/download/download.ts';
import { updateReport } from '../curation/download/report.ts';
import { updateDownloads } from '../curation/download/update.ts';
import { unhurried } from '../deadline.ts';
import { printLine, printLines } from '../terminal.ts';
import { type Command, CommandError, counted, interruptible } from './command.ts';

export const command: Command = {
  summary: 'brings what download_set wrote below the download root up to date; made for a scheduler',
  about: [
    'It reads the feeds, then the Sets that have changed. It replaces only files that it wrote itself and that',
    'nobody has changed since. After an interruption the next run goes on.',
  ],
  usage: 'artwork-mcp update [--dry-run] [--json]',
  options: {
    'dry-run': { about: 'writes nothing, and says what it would write' },
    json: { about: 'prints one line of JSON' },
  },
  words: 0,
  exit: '0 only if nothing was left undone; 1 also if another process updates the same folder',
  run: ({ settings, options }) =>
    interruptible(async (signal) => {
      const dryRun = options['dry-run'] === true;
      const report = await withServices(settings, async ({ parts }) => {
        const ports = await openDownloads(parts, unhurried(signal));
        return updateReport(await updateDownloads(ports, dryRun));
      }).catch((error: unknown) => {
        throw signal.aborted ? new CommandError('Interrupted. The same command goes on from here.') : error;
      });
      if (options.json === true) printLine(JSON.stringify(report));
      else printLines(readable(report, dryRun));
      if (report.undone > 0 && !dryRun) {
        throw new CommandError(
          `Left undone: ${counted(report.undone, 'download')}. The next run tries again.`,
        );
      }
    }),
};

type Report = ReturnType<typeof updateReport>;

function countsInWords(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([state, count]) => `${count} ${state.replaceAll('_', ' ')}`)
    .join(', ');
}

function readable({ downloads, counts, files, sets }: Report, dryRun: boolean): string[] {
  if (downloads === 0) return ['download_set has not written anything below this folder yet.'];
  return [
    ...(dryRun ? ['This is a dry run. Nothing was written.'] : []),
    `${counted(downloads, 'download')}: ${countsInWords(counts)}.`,
    ...(Object.keys(files).length === 0 ? [] : [`Pictures: ${countsInWords(files)}.`]),
    ...sets.flatMap(linesOf),
  ];
}

/** A title is other people's writing: it is quoted as JSON has it. */
function linesOf({ set, layout, folder, is, ...facts }: Report['sets'][number]): string[] {
  const where = folder === '' ? layout : `${layout}, ${folder}`;
  const why = facts.error === undefined ? '' : `: ${facts.error.message}`;
  const rows = [...(facts.files ?? []), ...(facts.leftOut ?? [])];
  return [
    `${set.kind} ${set.id} ${JSON.stringify(set.title)} (${where}): ${is}${why}`,
    ...rows.map(({ count, state, names, ...row }) => {
      const reason = 'error' in row ? row.error.message : 'why' in row ? row.why.replaceAll('_', ' ') : '';
      const more = count > names.length ? `, and ${count - names.length} more` : '';
      const because = reason === '' ? '' : ` (${reason})`;
      return `  ${count} ${state.replaceAll('_', ' ')}${because}: ${names.join(', ')}${more}`;
    }),
  ];
}
