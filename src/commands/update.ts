import { z } from 'zod';
import { withApp } from '../app.ts';
import { openDownloads } from '../curation/download/download.ts';
import { updateReport } from '../curation/download/report.ts';
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
  settings: ['downloadRoot', 'baseUrl', 'home'],
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
        const report = updateReport(await updateDownloads(ports, dryRun));
        printLines(options.json === true ? [JSON.stringify(report.data)] : readable(report.data, dryRun));
        throwIfUndone(report.data.undone, dryRun);
      });
    } catch (error) {
      if (!stopping.signal.aborted) throw error;
      throw new CommandError('interrupted. The same command goes on where it stopped.');
    } finally {
      for (const signal of signals.ending) process.off(signal, stop);
    }
  },
};

function throwIfUndone(undone: number, dryRun: boolean): void {
  if (undone === 0 || dryRun) return;
  throw new CommandError(
    `${undone} ${undone === 1 ? 'download was' : 'downloads were'} left undone; the next run tries again.`,
  );
}

type Report = ReturnType<typeof updateReport>['data'];

/** Titles are other people's writing: they stand in quotes, as JSON has them. */
function rowWords({ set, layout, folder, is, ...more }: Report['sets'][number], dryRun: boolean): string {
  const said = Object.entries(more).filter(([name]) => name !== 'credits' && name !== 'counts');
  const facts = said.map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  const counts = countsIn.safeParse(more.counts);
  const pictures = counts.success ? `: ${pictureWords(counts.data)}` : '';
  return [
    `${set.kind} ${set.id} ${JSON.stringify(set.title)} (${layout}${folder === '' ? '' : `, ${folder}`}) ${downloadIs(is, 1, dryRun)}${pictures}`,
    ...facts,
  ].join('; ');
}

const countsIn = z.record(z.string(), z.int());

function readable({ downloads, counts, files, sets }: Report, dryRun: boolean) {
  if (downloads === 0) return ['download_set has written nothing below this folder yet.'];
  const told = Object.entries(counts).map(
    ([state, count]) => `${number(count)} ${downloadIs(state, count, dryRun)}`,
  );
  const of = downloads === 1 ? 'the 1 download' : `the ${number(downloads)} downloads`;
  return [
    `${dryRun ? 'Nothing was written. ' : ''}Of ${of} ${told.join(', ')}.`,
    ...(Object.keys(files).length === 0 ? [] : [`Of their pictures ${pictureWords(files)}.`]),
    ...sets.map((row) => rowWords(row, dryRun)),
  ];
}

/** The state of downloads, as the words that follow their number or name. */
function downloadIs(state: string, count: number, dryRun: boolean): string {
  const [be, was] = count === 1 ? ['is', 'was'] : ['are', 'were'];
  switch (state) {
    case 'unchanged':
      return `${be} as before`;
    case 'updated':
      return dryRun ? 'would be updated' : `${was} updated`;
    case 'undone':
      return `${was} not brought up to date wholly`;
    case 'failed':
      return 'could not be read';
    case 'pending':
      return `${was} not reached in time`;
    case 'gone':
      return `${be} no more on the service; the files stay`;
    default:
      return `${be} ${state.replaceAll('_', ' ')}`;
  }
}

/** The states of pictures with their numbers: `2 were replaced, 1 failed`. */
function pictureWords(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([state, count]) => `${number(count)} ${pictureIs(state, count)}`)
    .join(', ');
}

function pictureIs(state: string, count: number): string {
  const [be, was] = count === 1 ? ['is', 'was'] : ['are', 'were'];
  switch (state) {
    case 'written':
    case 'replaced':
      return `${was} ${state}`;
    case 'would_write':
      return 'would be written';
    case 'would_replace':
      return 'would be replaced';
    case 'present':
      return `${be} there already`;
    case 'left_alone':
      return `${was} left alone, since another file is in the place`;
    case 'failed':
      return 'failed';
    case 'pending':
      return `${was} not begun`;
    case 'no_place':
      return count === 1 ? 'has no place in this layout' : 'have no place in this layout';
    case 'no_video':
      return count === 1 ? 'waits for its video' : 'wait for their videos';
    case 'no_folder':
      return count === 1 ? 'has no folder' : 'have no folder';
    case 'ambiguous':
    case 'unclear':
      return `${was} left out, since the place is not clear`;
    case 'too_many':
      return `${be} too many for one run`;
    case 'setsLeftOut':
      return count === 1 ? 'Set was left out' : 'Sets were left out';
    default:
      return `${be} ${state.replaceAll('_', ' ')}`;
  }
}

function number(count: number): string {
  return count.toLocaleString('en');
}
