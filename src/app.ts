import { createServices } from './app/services.ts';
import type { TitleReader } from './app/titles.ts';
import { createLog, type Log } from './log.ts';
import type { Parts } from './mcp/context.ts';
import { createDispatch, createReadsHostFolders } from './mcp/dispatch.ts';
import { createPrompts } from './mcp/prompts.ts';
import type { Answering } from './mcp/requests.ts';
import { prompts } from './prompts/index.ts';
import { createCompleteTitle } from './prompts/wording.ts';
import { createAppResource, createArtworkResource, createCompletion } from './resources.ts';
import type { Settings } from './settings.ts';
import { tools } from './tools/index.ts';

export interface App extends Answering {
  readonly parts: Parts;
  readonly reader: TitleReader;
  close(): Promise<void>;
}

/** Wires the parts once. Nothing here touches the network or the disk: that waits for the call that needs it. */
export function createApp(settings: Settings, log: Log): App {
  const { catalogue, account, titles, reader, close } = createServices(settings, log);
  const parts: Parts = {
    settings,
    catalogue,
    account: account.parts,
    store: account.store,
    hasStore: account.hasStore,
    titles: { ...titles, fill: reader.begin, filling: reader.activity },
  };
  const dispatch = createDispatch(tools, parts, log);
  const readArtwork = createArtworkResource(dispatch);
  const readApp = createAppResource(parts);
  return {
    parts,
    reader,
    dispatch,
    readsHostFolders: createReadsHostFolders(tools, settings),
    readResource: (uri, signal) => (uri.startsWith('ui:') ? readApp : readArtwork)(uri, signal),
    completeId: createCompletion(titles),
    prompts: createPrompts(prompts, {
      completeTitle: createCompleteTitle(titles),
      uploadRoots: settings.uploadRoots,
      now: () => new Date(),
    }),
    close,
  };
}

/** Does a command's work with the parts, and lets them go however it ends. */
export async function withApp<Done>(settings: Settings, work: (app: App) => Promise<Done>): Promise<Done> {
  const app = createApp(settings, createLog(settings.logLevel));
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}
