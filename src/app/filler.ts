import { createCatalogue } from '../catalogue/client.ts';
import type { BackgroundFiller } from '../curation/filler/background.ts';
import type { FillingEnd } from '../curation/filler/filler.ts';
import type { FillerPorts, FillerSelf, FillerOwnReads } from '../curation/filler/ports.ts';
import type { FillerProgress } from '../curation/filler/reading.ts';
import type { FillerStatus } from '../curation/filler/status.ts';
import type { TitleIndex } from '../curation/titles/title-index.ts';
import type { Holder } from '../ledger/holder.ts';
import type { Log } from '../log.ts';
import type { AccountParts } from '../mcp/context.ts';
import type { Settings } from '../settings.ts';
import { sleep } from '../clock.ts';
import { userAgent } from '../version.ts';
import type { ServiceEndpoint } from './service-endpoint.ts';

/** What reads the catalogue on its own for the index of titles. Nothing is loaded or opened before it is used. */
export interface TitleFiller {
  /** While the host is open, unless `ARTWORK_INDEX` says otherwise. Throws nothing, and takes no time. */
  begin(): void;
  /** Whether the last reading failed, and none has begun since. */
  hasFailed(): boolean;
  /** At a person's word, until nothing is left. */
  fill(options: {
    readonly signal: AbortSignal;
    readonly isFull: boolean;
    readonly onProgress: (progress: FillerProgress) => void;
  }): Promise<FillingEnd>;
  status(): Promise<FillerStatus>;
  /** Ends what is being read at once. */
  close(): Promise<void>;
}

interface Around {
  readonly endpoint: ServiceEndpoint;
  readonly index: () => Promise<TitleIndex>;
  readonly account: () => Promise<AccountParts>;
}

const clock = { now: Date.now, sleep };

/** The filler that reads the catalogue for the index of titles while the server runs. */
export function createTitleFiller(settings: Settings, around: Around, log: Log): TitleFiller {
  let background: Promise<BackgroundFiller> | null = null;
  let hasFailed = () => false;
  const connect = async () => {
    const catalogue = createCatalogue({
      locate: around.endpoint.locate,
      open: around.endpoint.open,
      userAgent,
      // Each request is sent once: how often and when is the filler's to say.
      limits: { connections: 4, tries: 1 },
    });
    const [index, self] = await Promise.all([around.index(), fillerSelf()]);
    const ports = {
      index,
      catalogue,
      own: ownReads(around.account, settings.home),
      user: settings.user,
      self,
      clock,
      log,
    };
    return { ports, close: catalogue.close };
  };
  const using = async <Value>(work: (ports: FillerPorts & { index: TitleIndex }) => Promise<Value>) => {
    const { ports, close } = await connect();
    try {
      return await work(ports);
    } finally {
      await close();
    }
  };

  return {
    begin() {
      if (settings.index !== 'on' || background !== null) return;
      background = import('../curation/filler/background.ts').then(({ createBackgroundFiller }) =>
        createBackgroundFiller(connect, { log, clock }),
      );
      background.then(
        (filler) => {
          hasFailed = filler.hasFailed;
          filler.begin();
        },
        () => log.warn('The catalogue is not read for the index of titles: its program could not be loaded.'),
      );
    },
    hasFailed: () => hasFailed(),
    async fill(options) {
      const { fillIndex } = await import('../curation/filler/filler.ts');
      return using((ports) => fillIndex(ports, { ...options, isByHand: true }));
    },
    async status() {
      const { readFillerStatus } = await import('../curation/filler/status.ts');
      return using(readFillerStatus);
    },
    async close() {
      await (await background)?.close();
    },
  };
}

/** The name of this process and reading, as the ledger tells processes apart. */
async function fillerSelf(): Promise<FillerSelf> {
  const { identifyProcess, processMayRun, holderSchema } = await import('../ledger/holder.ts');
  const self = identifyProcess();
  const mayRun = processMayRun(self);
  const holder: Holder = { ...self, hold: 0, heartbeat: 0 };
  return {
    holder: JSON.stringify(holder),
    async hasEnded(other) {
      const owner = holderSchema.safeParse(parsed(other));
      return owner.success && !(await mayRun(owner.data));
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** The widest listing of one's own that the interface document has (Protected reads: upload destinations). */
const destinations = [
  { kind: 'media_set' },
  { kind: 'media_set', family: 'game' },
  { kind: 'talent_set' },
  { kind: 'boxset' },
  { kind: 'boxset', family: 'game' },
] as const;
/** A token that ends sooner would be renewed, which is left to calls that a caller waits for. ms */
const shortest = 5 * 60_000;
/** Of what was uploaded from this machine, the latest. */
const mostUploads = 1_000;
/** As many as it gives at a time. */
const ledgerPage = 200;

function ownReads(account: () => Promise<AccountParts>, home: string): FillerOwnReads {
  return {
    async ready() {
      // What belongs to the account is loaded only where there may be one: it takes more memory than the reading.
      const { hasStoreFile } = await import('../storage/libsql/store-file.ts');
      if (!(await hasStoreFile(home))) return false;
      const status = await (await account()).connections.status();
      if (status.state !== 'connected') return false;
      return status.expiresAt !== null && Date.parse(status.expiresAt) - Date.now() > shortest;
    },
    destinations: destinations.map((query) => async (call) => {
      await (await account()).owned.findUploadDestinations(query, call);
    }),
    async uploads(since) {
      const { mutations } = await account();
      const ids: string[] = [];
      let after: Awaited<ReturnType<typeof mutations.list>>['next'] | undefined;
      do {
        const page = await mutations.list({
          state: 'succeeded',
          since: since === null ? undefined : new Date(since).toISOString(),
          after: after ?? undefined,
          limit: ledgerPage,
        });
        for (const { id } of page.mutations) {
          if (id?.kind === 'asset' && typeof id.id === 'string') ids.push(id.id);
        }
        after = page.next;
      } while (after !== null && ids.length < mostUploads);
      return ids;
    },
    async readAsset(id, call) {
      await (await account()).owned.readAsset(id, call);
    },
  };
}
