import { createCatalogue } from '../catalogue/client.ts';
import type { CatalogueReading } from '../catalogue/records/kinds.ts';
import type { OwnReading } from '../catalogue/records/owned.ts';
import { systemClock as clock } from '../clock.ts';
import type { FillingEnd, ReaderActivity, ReaderPorts, ReaderStatus } from '../curation/find/reader.ts';
import type { TitleIndex } from '../curation/find/title-index.ts';
import type { Sighting, TitleSearch } from '../curation/find/titles.ts';
import { ArtworkError } from '../errors.ts';
import type { Log } from '../log.ts';
import { idOfRecord } from '../model/work.ts';
import type { Settings } from '../settings.ts';
import { userAgent } from '../version.ts';
import type { ServiceEndpoint } from './account.ts';

/** How long what was read waits for more of it, ms: until the answer has been written, and a burst of reads is over. */
const gatherMs = 150;
/** Readings that wait hold their records in memory: with so many, none waits longer. */
const mostWaiting = 50;
/** More than any record of a catalogue names: what names a million is no such record. */
const mostSightings = 20_000;

/** A reading, and the account that the service gave it to; '': it was public. */
interface Read {
  readonly reading: CatalogueReading | OwnReading;
  readonly account: string;
}

/**
 * The index of the configured service, loaded and opened at the first reading or search, and what it learns from. What
 * protected reads have shown an account is found by this account alone.
 * @param connected the account that is connected now; null: none is
 */
export function createTitles(settings: Settings, log: Log, connected: () => Promise<string | null>) {
  let waiting: Read[] = [];
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();
  let failed: string | null = null;
  let opened: Promise<TitleIndex> | null = null;

  const open = (): Promise<TitleIndex> => {
    // The embedded catalogue has an address of its own for each data folder, and no other before it runs.
    const place = { home: settings.home, service: settings.baseUrl ?? 'embedded', log };
    opened ??= import('../curation/find/title-index.ts').then(({ createTitleIndex }) =>
      createTitleIndex(place),
    );
    return opened;
  };
  const write = async (): Promise<void> => {
    timer = null;
    // A record that was read several times is learnt once, as it was last.
    const reads = [...new Map(waiting.map((read) => [placeOf(read), read])).values()];
    waiting = [];
    if (reads.length === 0) return;
    try {
      const [index, { sightingsOf }] = await Promise.all([open(), import('../curation/find/sightings.ts')]);
      for (const { reading, account } of reads) {
        const shown: Sighting[] = sightingsOf(reading).slice(0, mostSightings);
        await index.learn(shown, account === '' ? '' : ownerOf(settings.user, account));
        if (reading.of === 'gone') await index.forget(reading);
      }
      failed = null;
    } catch (error) {
      // It is only remembered for later: the call that has read it goes on, and the log says it once.
      const message = error instanceof Error ? error.message : 'unknown';
      if (message !== failed) log.warn(`The index of titles could not be written: ${message}`);
      failed = message;
    }
  };
  const writeNext = (): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    writing = writing.then(write);
    return writing;
  };
  const take = (read: Read): void => {
    if (settings.index === 'off') return;
    waiting.push(read);
    if (waiting.length >= mostWaiting) void writeNext();
    else timer ??= setTimeout(() => void writeNext(), gatherMs);
  };
  const owner = async (): Promise<string> => {
    try {
      const account = await connected();
      return account === null ? '' : ownerOf(settings.user, account);
    } catch (error) {
      if (!(error instanceof ArtworkError)) throw error;
      // What everybody sees is searched anyway.
      log.warn(`Own titles are not searched: whose connection this is can't be told. ${error.message}`);
      return '';
    }
  };

  return {
    mode: settings.index,
    isReadAtOnce: settings.baseUrl === null,
    /** Remembers what was read, and writes it once the answer is on its way. Never throws. */
    onReading: (reading: CatalogueReading): void => take({ reading, account: '' }),
    /** The same of what the service has shown to an account. */
    onOwnReading: (reading: OwnReading, account: string): void => take({ reading, account }),
    settled: writeNext,
    /** The index itself, with all that was just read. */
    async shared(): Promise<TitleIndex> {
      await writeNext();
      return open();
    },
    async index(): Promise<TitleSearch> {
      await writeNext();
      return (await open()).searchFor(await owner());
    },
    /** Writes what is left, and lets the file go. */
    async close(): Promise<void> {
      await writeNext();
      await (await opened)?.close();
    },
  };
}

/** Two users with one account don't share what it was shown. */
function ownerOf(user: string, account: string): string {
  return JSON.stringify([user, account]);
}

/** The same for readings of one record and account, of which the last counts. Each reading of a list has its own. */
function placeOf({ reading, account }: Read): unknown {
  switch (reading.of) {
    case 'entity':
    case 'set':
      return `${reading.kind} ${idOfRecord(reading.record)}`;
    case 'own asset':
    case 'own set':
    case 'own group':
      return JSON.stringify([reading.of, reading.record.id, account]);
    default:
      return reading;
  }
}

/** What reads the catalogue on its own for the index of titles. Nothing is loaded or opened before it is used. */
export type TitleReader = ReturnType<typeof createTitleReader>;

interface FillingAtAWord {
  readonly signal: AbortSignal;
  readonly isFull: boolean;
  readonly onProgress: (progress: ReaderStatus) => void;
}

interface Around {
  readonly endpoint: ServiceEndpoint;
  readonly index: () => Promise<TitleIndex>;
}

/** Reads the catalogue for the index of titles: while the server runs, or at a person's word. */
export function createTitleReader(settings: Settings, around: Around, log: Log) {
  type Background = { activity(): ReaderActivity; close(): Promise<void> };
  let background: Promise<Background> | null = null;
  let activity = (): ReaderActivity => (background === null ? 'idle' : 'reading');
  const connect = async () => {
    const catalogue = createCatalogue({
      locate: around.endpoint.locate,
      userAgent,
      // Each request is sent once: how often and when is the reader's to say.
      limits: { connections: 1, tries: 1 },
    });
    const index = await around.index();
    const ports: ReaderPorts = { index, catalogue, isOurs: settings.baseUrl === null, clock, log };
    return { ports, close: catalogue.close };
  };
  const using = async <Value>(work: (ports: ReaderPorts) => Promise<Value>) => {
    const { ports, close } = await connect();
    try {
      return await work(ports);
    } finally {
      await close();
    }
  };

  return {
    /** While the host is open, unless `ARTWORK_INDEX` says otherwise. Throws nothing, and takes no time. */
    begin(): void {
      if (settings.index !== 'on' || background !== null) return;
      background = import('../curation/find/reader.ts').then(({ runInBackground }) =>
        runInBackground(connect, { log, clock }),
      );
      background.then(
        (reader) => {
          activity = reader.activity;
        },
        () => {
          activity = () => 'failed';
          log.warn('The catalogue is not read for the index of titles: its program could not be loaded.');
        },
      );
    },
    activity: (): ReaderActivity => activity(),
    /** At a person's word, until nothing is left. */
    async fill(options: FillingAtAWord): Promise<FillingEnd> {
      const { fillIndex } = await import('../curation/find/reader.ts');
      return using((ports) => fillIndex(ports, { ...options, isByHand: true }));
    },
    async status(): Promise<ReaderStatus> {
      const { readingStatus } = await import('../curation/find/reader.ts');
      return using(readingStatus);
    },
    /** Ends what is being read at once. */
    async close(): Promise<void> {
      await (await background)?.close();
    },
  };
}
