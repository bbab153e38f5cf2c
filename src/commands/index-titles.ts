import { createServices } from '../app/services.ts';
import type { FillingEnd, ReaderStatus } from '../curation/find/reader.ts';
import { fullWords, listedWords } from '../curation/find/titles.ts';
import { createLog } from '../log.ts';
import { signals } from '../machine.ts';
import { noteLine, printLines, progressBar, progressLine } from '../terminal.ts';
import { type Command, CommandError } from './command.ts';

export const command: Command = {
  summary:
    'reads the whole catalogue for find_titles, one request a second; --status says how much it has seen',
  usage: 'artwork-mcp index [--full] [--status] [--json]',
  options: {
    full: {
      about: 'reads all of it again, also what was read of late',
      example: 'artwork-mcp index --full',
    },
    status: {
      about: 'reads nothing, says how much the index has seen',
      example: 'artwork-mcp index --status',
    },
    json: { about: 'prints one line of JSON', example: 'artwork-mcp index --json' },
  },
  settings: ['baseUrl', 'index', 'home'],
  examples: ['artwork-mcp index', 'artwork-mcp index --status --json'],
  words: 0,
  exit: '1 also where it was interrupted, or left to another process that reads',
  async run({ settings, options }) {
    if (settings.index === 'off') {
      throw new CommandError(
        'no index of titles is kept, since ARTWORK_INDEX is off: set it to passive, or leave it out, to keep one.',
      );
    }
    const services = createServices(settings, createLog(settings.logLevel));
    const stopping = new AbortController();
    const stop = () => stopping.abort();
    try {
      let end: FillingEnd | null = null;
      if (options.status !== true) {
        // Once: a second one ends the process as it does any other.
        for (const signal of signals.ending) process.once(signal, stop);
        end = await services.reader
          .fill({ signal: stopping.signal, isFull: options.full === true, onProgress: progressWriter() })
          .finally(() => progressLine(null));
      }
      const status = await services.reader.status();
      const told = end === null ? status : { end: end.end, ...status };
      printLines(options.json === true ? [JSON.stringify(told)] : readable(status));
      if (end !== null) throwUnlessDone(end, status);
    } finally {
      for (const signal of signals.ending) process.off(signal, stop);
      await services.close();
    }
  },
};

function throwUnlessDone(ending: FillingEnd, { restsUntil }: ReaderStatus): void {
  const again = 'The same command goes on where it stopped.';
  switch (ending.end) {
    case 'done':
      return;
    case 'full':
      throw new CommandError(fullWords);
    case 'stopped':
      throw new CommandError(`interrupted. ${again}`);
    case 'busy':
      throw new CommandError('another artwork-mcp index reads this catalogue on this machine.');
    case 'lost':
      throw new CommandError(`another process of this machine has taken over. ${again}`);
    case 'rests':
      throw new CommandError(
        `the service has turned a request away: nothing more is read of it until ${restsUntil}. ${again}`,
      );
    case 'failed':
      throw new CommandError(`${ending.error.message} ${again}`);
  }
}

/** How often a line is written where there is no terminal, ms. */
const writeEvery = 15_000;

function progressWriter(): (status: ReaderStatus) => void {
  let written = Date.now();
  let records = 0;
  return (status) => {
    records += 1;
    const lists = Object.values(status.lists);
    const pagesLeft = lists.reduce(
      (sum, { pages, totalPages, readAt }) => sum + (readAt === null ? (totalPages ?? pages + 1) - pages : 0),
      0,
    );
    const left = pagesLeft + status.left;
    const text = `${records.toLocaleString('en')} requests, ${left.toLocaleString('en')} left, ${status.titles.toLocaleString('en')} titles`;
    if (progressLine(`${progressBar(records / (records + left))} ${text}`)) return;
    if (Date.now() - written < writeEvery) return;
    written = Date.now();
    noteLine(text);
  };
}

function readable(status: ReaderStatus): string[] {
  const { titles, shows, films, complete, asOf, lists, left, restsUntil, full } = status;
  const count = (number: number) => number.toLocaleString('en');
  const rows: [string, string | null][] = [
    ['Titles', `${count(titles)}, of them ${count(shows)} shows and ${count(films)} films`],
    [
      'Complete',
      complete
        ? `yes: everything that the service lists was read; ${listedWords}`
        : 'no: what is not in the index may still be in the catalogue',
    ],
    ['As of', asOf],
    ['Episodes', listed(lists.episodes)],
    ['Assets', listed(lists.assets)],
    ['Sets', listed(lists.sets)],
    ['Left to read', left === 0 ? null : `${count(left)} records that are known`],
    ['Rests until', restsUntil],
    ['Full', full ? fullWords : null],
  ];
  return rows.flatMap(([name, value]) => (value === null ? [] : [`${name.padEnd(13)} ${value}`]));
}

function listed({ pages, totalPages, readAt }: ReaderStatus['lists']['episodes']): string {
  if (readAt !== null) return `read to its end at ${readAt}`;
  if (pages === 0) return 'not read yet';
  return `${pages.toLocaleString('en')} of ${totalPages?.toLocaleString('en') ?? 'an unknown number of'} pages`;
}
