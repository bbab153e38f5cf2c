import { type Services, withServices } from '../app/services.ts';
import type { FillingEnd, ReaderStatus } from '../curation/find/reader.ts';
import { noteLine, printLine, printLines } from '../terminal.ts';
import { type Command, CommandError, counted, inColumns, interruptible } from './command.ts';

export const command: Command = {
  summary: 'reads the whole catalogue for find_titles, one request a second',
  usage: 'artwork-mcp index [--full] [--status] [--json]',
  options: {
    full: { about: 'reads everything again, also what was read lately' },
    status: { about: 'reads nothing, and says how much the index has seen' },
    json: { about: 'prints one line of JSON' },
  },
  words: 0,
  exit: '1 also if it was interrupted, or if another process reads the catalogue',
  async run({ settings, options }) {
    if (settings.index === 'off') {
      throw new CommandError(
        'ARTWORK_INDEX is off, so there is no index. To keep one, set it to passive or on.',
      );
    }
    await withServices(settings, async ({ reader }) => {
      const ending = options.status === true ? null : await fill(reader, options.full === true);
      const status = await reader.status();
      const answer = ending === null ? status : { end: ending.end, ...status };
      if (options.json === true) printLine(JSON.stringify(answer));
      else printLines(readable(status));
      if (ending !== null) requireDone(ending);
    });
  },
};

type Reader = Services['reader'];

function fill(reader: Reader, isFull: boolean): Promise<FillingEnd> {
  const onProgress = progressWriter();
  return interruptible((signal) => reader.fill({ signal, isFull, onProgress }));
}

/** @throws CommandError where something is left to read */
function requireDone(ending: FillingEnd): void {
  const again = 'The same command goes on from here.';
  switch (ending.end) {
    case 'done':
      return;
    case 'stopped':
      throw new CommandError(`Interrupted. ${again}`);
    case 'busy':
      throw new CommandError(`Another process on this machine is reading this catalogue. ${again}`);
    case 'rests':
      throw new CommandError(`The service asked us to slow down. ${again} Wait for a day.`);
    case 'failed':
      throw new CommandError(`${ending.error.message} ${again}`);
  }
}

/** How often a line is written. ms */
const lineEveryMs = 10_000;

function progressWriter(): (status: ReaderStatus) => void {
  let writtenAt = Date.now();
  let requests = 0;
  return ({ left, titles }) => {
    requests += 1;
    if (Date.now() - writtenAt < lineEveryMs) return;
    writtenAt = Date.now();
    noteLine(
      `${counted(requests, 'request')}, ${left.toLocaleString('en')} left, ${counted(titles, 'title')}`,
    );
  };
}

function readable({ titles, shows, films, complete, asOf, left }: ReaderStatus): string[] {
  return inColumns([
    ['Titles', `${counted(titles, 'title')}, with ${counted(shows, 'show')} and ${counted(films, 'film')}`],
    [
      'Complete',
      complete
        ? 'yes: all that the service lists was read; it lists its episodes and what changed lately. For another film, game or person, give its id.'
        : 'no: the catalogue may have titles that the index lacks',
    ],
    ['As of', asOf],
    ['Left to read', left === 0 ? null : counted(left, 'known record')],
  ]);
}
