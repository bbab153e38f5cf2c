import { createCatalogue } from '../catalogue/client.ts';
import type { Log } from '../log.ts';
import { namedCatalogue } from '../model/target-names.ts';
import type { Settings } from '../settings.ts';
import { userAgent } from '../version.ts';
import { createAccount, createServiceEndpoint } from './account.ts';
import { createTitleReader, createTitles } from './titles.ts';

/**
 * Everything below the tools, wired once. A command that needs no tools takes it alone, since all of them together
 * take more memory than the rest of it. Nothing here touches the network or the disk.
 */
export function createServices(settings: Settings, log: Log) {
  const endpoint = createServiceEndpoint(settings);
  const titles = createTitles(settings, log, async () => (await account.parts()).account());
  const catalogue = namedCatalogue((learn) =>
    createCatalogue({
      locate: endpoint.locate,
      open: endpoint.open,
      userAgent,
      onReading: (reading) => {
        learn(reading);
        titles.onReading(reading);
      },
    }),
  );
  const account = createAccount(settings, endpoint, catalogue, log, titles.onOwnReading);
  const reader = createTitleReader(settings, { endpoint, index: titles.shared }, log);
  return {
    catalogue,
    account,
    titles,
    reader,
    close: async () => {
      await reader.close();
      await account.close();
      await catalogue.close();
      await titles.close();
    },
  };
}
