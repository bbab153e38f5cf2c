import { existsSync } from 'node:fs';
import { createCatalogue } from '../catalogue/client.ts';
import { ArtworkError } from '../errors.ts';
import { createLog, type Log } from '../log.ts';
import type { Parts } from '../mcp/context.ts';
import { namedCatalogue } from '../model/target-names.ts';
import { type Settings, SettingsError } from '../settings.ts';
import { storeFile } from '../store/home.ts';
import type { SharedStore } from '../store/open.ts';
import { userAgent } from '../version.ts';
import { createEndpoint } from './endpoint.ts';
import { once } from './once.ts';
import { createTitleReader, createTitles } from './titles.ts';

export interface Services {
  readonly parts: Parts;
  /** Reads the catalogue for the index of titles. */
  readonly reader: ReturnType<typeof createTitleReader>;
  close(): Promise<void>;
}

/** Wires everything below the tools, once. It touches neither disk nor network: the first use does. */
export function createServices(settings: Settings, log: Log): Services {
  const endpoint = createEndpoint(settings);
  const { locate, open } = endpoint;
  const titles = createTitles(settings, log);
  const { mode, isReadAtOnce, index, settled } = titles;
  const catalogue = namedCatalogue((learn) =>
    createCatalogue({
      onReading: (reading) => {
        learn(reading);
        titles.onReading(reading);
      },
      ...{ locate, open, userAgent },
    }),
  );
  const { home, store: shared } = settings;
  const store = once(async () => {
    const { openStore } = await import('../store/open.ts');
    return openStore({ home, shared: shared === null ? null : tellingFaults(shared) });
  });
  const account = once(async () => {
    const { wireAccount } = await import('./account.ts');
    return wireAccount({ settings, endpoint, catalogue, log }, store.get);
  });
  const reader = createTitleReader(settings, endpoint, titles, log);
  return {
    parts: {
      settings,
      catalogue,
      account: account.get,
      store: async () => (await store.get()).marks,
      hasStore: () => shared !== null || existsSync(storeFile(home)),
      titles: { mode, isReadAtOnce, index, settled, fill: reader.begin, filling: reader.activity },
    },
    reader,
    // Each of these uses those after it.
    async close() {
      await reader.close();
      const opened = await account.opened();
      await opened?.mutations.close();
      await Promise.all([opened?.connections.close(), opened?.owned.close()]);
      (await store.opened())?.close();
      await catalogue.close();
      await titles.close();
    },
  };
}

/** A store whose secret is in a file: what is wrong with the file is the error of the call that needs it. */
function tellingFaults(store: NonNullable<Settings['store']>): SharedStore {
  const url = () => {
    try {
      return store.url();
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      const why = 'A person corrects the file that the message names. Then make the same call again.';
      throw new ArtworkError('internal', error.message, { code: 'store.unreachable', next: { why } });
    }
  };
  return { ...store, url };
}

/** For commands, which need no tools: does the work with the services, and closes them however it ends. */
export async function withServices<Done>(
  settings: Settings,
  work: (services: Services) => Promise<Done>,
): Promise<Done> {
  const services = createServices(settings, createLog(settings.logLevel));
  try {
    return await work(services);
  } finally {
    await services.close();
  }
}
