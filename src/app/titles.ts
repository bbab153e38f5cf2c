import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createCatalogue } from '../catalogue/client.ts';
import type { CatalogueReading, OwnReading } from '../catalogue/records/owned.ts';
import { systemClock as clock } from '../clock.ts';
import type {
  BackgroundReader,
  ReaderActivity,
  ReaderProgress,
  ReaderStatus,
  FillingEnd,
} from '../curation/find/reader/reader.ts';
import type { ReaderPorts } from '../curation/find/reader/ports.ts';
import type { Sighting, TitleIndex } from '../curation/find/title-index.ts';
import type { TitleSearch } from '../curation/find/with-own-titles.ts';
import { ArtworkError } from '../errors.ts';
import { groupedBy } from '../grouped-by.ts';
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

/** A reading, and the account (`nameOfAccount`) that the service gave it to; null: it was public. */
type Read =
  | { readonly reading: CatalogueReading; readonly account: null }
  | { readonly reading: OwnReading; readonly account: string };

/**
 * The index of the configured service, loaded and opened at the first reading or search, and what it learns from. What
 * public reads have shown stands in a file for everybody; what protected reads have shown an account, in one for this
 * `ARTWORK_USER` and account.
 * @param connected the account that is connected now; null: none is
 */
export function createTitles(settings: Settings, log: Log, connected: () => Promise<string | null>) {
  let waiting: Read[] = [];
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();
  let failed: string | null = null;
  const opened = new Map<string | undefined, Promise<TitleIndex>>();
  const place = {
    home: settings.home,
    // The embedded catalogue has an address of its own for each data folder, and no other before it runs.
    service: settings.baseUrl ?? 'embedded',
  };

  /** @param part names an account's part; undefined: the shared index */
  const open = (part?: string): Promise<TitleIndex> => {
    const found =
      opened.get(part) ??
      import('../curation/find/open.ts').then(({ createTitleIndex, largestOwnIndex }) =>
        createTitleIndex({ ...place, part, log, largest: part === undefined ? undefined : largestOwnIndex }),
      );
    opened.set(part, found);
    return found;
  };

  const write = async (): Promise<void> => {
    timer = null;
    // A record that was read several times is learnt once, as it was last.
    const reads = [...new Map(waiting.map((read) => [placeOf(read), read])).values()];
    waiting = [];
    if (reads.length === 0) return;
    try {
      const { sightingsOf } = await import('../curation/find/sightings.ts');
      for (const [account, some] of groupedBy(reads, (read) => read.account)) {
        const index = await open(account === null ? undefined : partOf(settings.user, account));
        await index.learn(
          some.flatMap(({ reading }): Sighting[] => sightingsOf(reading).slice(0, mostSightings)),
        );
        for (const { reading } of some) if (reading.of === 'gone') await index.forget(reading);
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
  /** The part of the connected account. Null if there is none: then a search needs no store. */
  const own = async (): Promise<TitleIndex | null> => {
    const { anyPartOf, indexFile } = await import('../curation/find/index-file.ts');
    if (!(await anyPartOf(place))) return null;
    try {
      const account = await connected();
      if (account === null) return null;
      const part = partOf(settings.user, account);
      return existsSync(indexFile({ ...place, part })) ? await open(part) : null;
    } catch (error) {
      if (!(error instanceof ArtworkError)) throw error;
      // The shared index is searched anyway.
      log.warn(`Own titles are not searched: whose connection this is can't be told. ${error.message}`);
      return null;
    }
  };
  const shared = async (): Promise<TitleIndex> => {
    // So that a search finds what was just read.
    await writeNext();
    return open();
  };

  return {
    mode: settings.index,
    isReadAtOnce: settings.baseUrl === null,
    /** Remembers what was read, and writes it once the answer is on its way. Never throws. */
    onReading: (reading: CatalogueReading): void => take({ reading, account: null }),
    /** The same of what the service has shown to an account. */
    onOwnReading: (reading: OwnReading, account: string): void => take({ reading, account }),
    settled: writeNext,
    /** The index of public reads. */
    shared,
    async index(): Promise<TitleSearch> {
      const [all, mine] = [await shared(), await own()];
      if (mine === null) return all;
      const { withOwnTitles } = await import('../curation/find/with-own-titles.ts');
      return withOwnTitles(all, mine, (error) => log.warn(`Own titles are not searched. ${error.message}`));
    },
    /** Writes what is left, and lets the files go. */
    async close(): Promise<void> {
      await writeNext();
      for (const index of opened.values()) await (await index).close();
    },
  };
}

/** The name of an account's part. Two users with one account have a part each. */
function partOf(user: string, account: string): string {
  return createHash('sha256')
    .update(JSON.stringify([user, account]))
    .digest('hex')
    .slice(0, 24);
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
  readonly onProgress: (progress: ReaderProgress) => void;
}

interface Around {
  readonly endpoint: ServiceEndpoint;
  /** The index of public reads, the only one that the reader writes to. */
  readonly index: () => Promise<TitleIndex>;
}

/** Reads the catalogue for the index of titles while the server runs. */
export function createTitleReader(settings: Settings, around: Around, log: Log) {
  let background: Promise<BackgroundReader> | null = null;
  let judge: ReturnType<typeof readingJudge> | null = null;
  let activity = (): ReaderActivity => (background === null ? 'idle' : 'reading');
  const connect = async () => {
    const catalogue = createCatalogue({
      locate: around.endpoint.locate,
      open: around.endpoint.open,
      userAgent,
      // Each request is sent once: how often and when is the reader's to say.
      limits: { connections: 1, tries: 1 },
    });
    judge ??= readingJudge();
    const index = await around.index();
    const ports = {
      index,
      catalogue,
      isOurs: settings.baseUrl === null,
      judge: await judge,
      clock,
      log,
    };
    return { ports, close: catalogue.close };
  };
  const using = async <Value>(work: (ports: ReaderPorts & { index: TitleIndex }) => Promise<Value>) => {
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
      background = import('../curation/find/reader/reader.ts').then(({ runInBackground }) =>
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
      const { fillIndex } = await import('../curation/find/reader/reader.ts');
      return using((ports) => fillIndex(ports, { ...options, isByHand: true }));
    },
    async status(): Promise<ReaderStatus> {
      const { readingStatus } = await import('../curation/find/reader/reader.ts');
      return using(readingStatus);
    },
    /** Ends what is being read at once. */
    async close(): Promise<void> {
      await (await background)?.close();
    },
  };
}

/** Tells whether another process of this machine, or another reading of this one, still reads. */
async function readingJudge() {
  const { createLeaseJudge, holdersOfMachine } = await import('../store/lease.ts');
  return createLeaseJudge(clock, holdersOfMachine());
}
