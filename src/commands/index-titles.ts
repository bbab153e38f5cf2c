import { createServices } from '../app/services.ts';
import type { ReaderProgress, ReaderStatus, FillingEnd, ListStatus } from '../curation/find/reader/reader.ts';
import { fullWords, listedWords } from '../curation/find/title-index.ts';
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
  settings: ['base-url', 'index', 'home'],
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
        const progress = showProgress();
        try {
          end = await services.reader.fill({
            signal: stopping.signal,
            isFull: options.full === true,
            onProgress: progress.show,
          });
        } finally {
          progress.end();
        }
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
      throw new CommandError(
        'another artwork-mcp index reads this catalogue on this machine; it was left to it.',
      );
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

/** How often the line changes on a terminal, and how often one is written elsewhere, ms. */
const [lookEvery, writeEvery] = [250, 15_000];

function showProgress() {
  let last: ReaderProgress | null = null;
  let left: number | null = null;
  let written = Date.now();
  let asking = false;
  const draw = (): void => {
    if (last === null) return;
    const { share, text } = progressText(last, left);
    if (progressLine(`${progressBar(share)} ${text}`)) return;
    if (Date.now() - written < writeEvery) return;
    written = Date.now();
    noteLine(text);
  };
  const ask = async (progress: ReaderProgress): Promise<void> => {
    asking = true;
    try {
      left = await progress.left();
    } finally {
      asking = false;
    }
  };
  let turn = 0;
  const timer = setInterval(() => {
    draw();
    turn += 1;
    // It is counted in the index, so not for each line. Where that fails, the reading fails too, and says why.
    if (turn % 8 === 1 && !asking && last !== null) ask(last).catch(() => {});
  }, lookEvery);
  return {
    show(progress: ReaderProgress) {
      last = progress;
    },
    end() {
      clearInterval(timer);
      progressLine(null);
    },
  };
}

function progressText(
  progress: ReaderProgress,
  left: number | null,
): { readonly share: number; readonly text: string } {
  const { lists, records } = progress;
  const all = Object.values(lists);
  const done = sum(all.map(({ pages }) => pages)) + records;
  const whole =
    sum(all.map((list) => (list.readAt === null ? (list.totalPages ?? list.pages + 1) : list.pages))) +
    records +
    (left ?? 1);
  const share = whole === 0 ? 1 : Math.min(1, done / whole);
  const parts = [
    `${String(Math.floor(share * 100)).padStart(3)} %`,
    `episodes ${pagesOf(lists.episodes)}`,
    `changes ${pagesOf(lists.assets)} and ${pagesOf(lists.sets)}`,
    `${records.toLocaleString('en')} records${left === null ? '' : `, ${left.toLocaleString('en')} left`}`,
  ];
  return { share, text: parts.join(' · ') };
}

function pagesOf({ pages, totalPages, readAt }: ListStatus): string {
  if (readAt !== null) return 'read';
  return `${pages.toLocaleString('en')}${totalPages === null ? '' : `/${totalPages.toLocaleString('en')}`} pages`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => one + other, 0);
}

function readable(status: ReaderStatus): string[] {
  const { titles, shows, films, complete, asOf, lists, left, restsUntil, full, rebuilt } = status;
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
    ['Begun anew', rebuilt === null ? null : `${rebuilt}, since it was damaged`],
  ];
  return rows.flatMap(([name, value]) => (value === null ? [] : [`${name.padEnd(13)} ${value}`]));
}

function listed({ state, pages, totalPages, readAt, why }: ListStatus): string {
  const some = `${pages.toLocaleString('en')} ${pages === 1 ? 'page' : 'pages'}`;
  switch (state) {
    case 'not begun':
      return 'not read yet';
    case 'reading':
      return `${some}${totalPages === null ? '' : ` of ${totalPages.toLocaleString('en')}`} so far`;
    case 'read':
      return `read to its end${readAt === null ? '' : ` at ${readAt}`}`;
    case 'short':
      return `${some} read${why === null ? '' : `; then ${why}`}`;
  }
}
