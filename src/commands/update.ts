import { withApp } from '../app.ts';
import { openDownloads } from '../curation/download/ports.ts';
import { type DoneUpdate, updateReport } from '../curation/download/report.ts';
import { updateDownloads } from '../curation/download/update.ts';
import { unhurried } from '../deadline.ts';
import { signals } from '../machine.ts';
import { printLines } from '../terminal.ts';
import { type Command, CommandError } from './command.ts';

export const command: Command = {
  summary: 'brings what download_set wrote below the download root up to date; made for a scheduler',
  about: [
    'Reads the feeds, then the Sets that changed since, and replaces the files that it wrote itself and that nobody',
    'has changed. All other files stay. After an interruption the next run goes on.',
  ],
  usage: 'artwork-mcp update [--dry-run] [--json]',
  options: {
    'dry-run': { about: 'writes nothing, says what it would', example: 'artwork-mcp update --dry-run' },
    json: { about: 'prints one line of JSON', example: 'artwork-mcp update --json' },
  },
  settings: ['download-root', 'base-url', 'home'],
  examples: ['artwork-mcp update', 'artwork-mcp update --dry-run --json'],
  words: 0,
  exit: '0 if nothing was left undone; 1 also if another process updates the same folder',
  async run({ settings, options }) {
    const dryRun = options['dry-run'] === true;
    const stopping = new AbortController();
    const stop = () => stopping.abort();
    for (const signal of signals.ending) process.once(signal, stop);
    try {
      await withApp(settings, async ({ parts }) => {
        const ports = await openDownloads(parts, unhurried(stopping.signal), async () => {});
        const update = await updateDownloads({ ...ports, dryRun });
        if (update.is === 'busy') {
          throw new CommandError('another process updates the same folder now; it was left to it.');
        }
        const report = updateReport(update);
        printLines(options.json === true ? [JSON.stringify(report.data)] : readable(report.data, dryRun));
        throwIfUndone(update, report.data.undone, dryRun);
      });
    } catch (error) {
      if (!stopping.signal.aborted) throw error;
      throw new CommandError('interrupted. The same command goes on where it stopped.');
    } finally {
      for (const signal of signals.ending) process.off(signal, stop);
    }
  },
};

function throwIfUndone({ lost }: DoneUpdate, undone: number, dryRun: boolean): void {
  if (lost) throw new CommandError('another process has taken over. It goes on where this one stopped.');
  if (undone === 0 || dryRun) return;
  throw new CommandError(
    `${undone} ${undone === 1 ? 'download was' : 'downloads were'} left undone; the next run tries again.`,
  );
}

type Report = ReturnType<typeof updateReport>['data'];

/** Titles are other people's writing: they stand in quotes, as JSON has them. */
function rowWords({ set, layout, folder, is, ...more }: Report['sets'][number]): string {
  const said = Object.entries(more).filter(([name]) => name !== 'credits');
  const facts = said.map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  return [
    `${set.kind} ${set.id} ${JSON.stringify(set.title)} (${layout}${folder === '' ? '' : `, ${folder}`}): ${is}`,
    ...facts,
  ].join('; ');
}

function readable(
  { downloads, counts, files, sets }: ReturnType<typeof updateReport>['data'],
  dryRun: boolean,
) {
  const list = (numbers: Readonly<Record<string, number>>) =>
    Object.entries(numbers)
      .map(([state, count]) => `${count.toLocaleString('en')} ${state.replaceAll('_', ' ')}`)
      .join(', ');
  return [
    `${downloads.toLocaleString('en')} ${downloads === 1 ? 'download' : 'downloads'}${dryRun ? ' (nothing was written)' : ''}${downloads === 0 ? ': download_set has written nothing below this folder yet' : `: ${list(counts)}`}`,
    ...(Object.keys(files).length === 0 ? [] : [`Files: ${list(files)}`]),
    ...sets.map(rowWords),
  ];
}
