import { createAccount } from './app/account.ts';
import { createServiceEndpoint } from './app/service-endpoint.ts';
import { createCatalogue } from './catalogue/client.ts';
import type { Log } from './log.ts';
import type { Parts } from './mcp/context.ts';
import { createDispatch } from './mcp/dispatch.ts';
import type { Answering } from './mcp/server.ts';
import { createArtworkResource } from './resources/artwork.ts';
import type { Settings } from './settings.ts';
import { tools } from './tools/index.ts';
import { userAgent } from './version.ts';

export interface App extends Answering {
  readonly parts: Parts;
  close(): Promise<void>;
}

/** Wires the parts once. Nothing here touches the network or the disk: that waits for the call that needs it. */
export function createApp(settings: Settings, log: Log): App {
  const whereabouts = createServiceEndpoint(settings);
  const catalogue = createCatalogue({
    locate: whereabouts.locate,
    open: whereabouts.open,
    userAgent,
    log,
  });
  const account = createAccount(settings, whereabouts, catalogue, log);
  const parts: Parts = { settings, catalogue, account: account.parts };
  const dispatch = createDispatch(tools, parts, log);
  return {
    parts,
    dispatch,
    readResource: createArtworkResource(dispatch),
    close: async () => {
      await account.close();
      await catalogue.close();
    },
  };
}
