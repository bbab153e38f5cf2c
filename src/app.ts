import { createServices } from './app/services.ts';
import { createCompleteTitle } from './curation/find/completion.ts';
import type { Log } from './log.ts';
import { createDispatch } from './mcp/dispatch.ts';
import type { Answering } from './mcp/requests.ts';
import { prompts } from './prompts/index.ts';
import { createPrompts } from './prompts/prompt.ts';
import { createAppResource, createArtworkResource, createCompletion } from './resources.ts';
import type { Settings } from './settings.ts';
import { tools } from './tools/index.ts';

export interface App extends Answering {
  close(): Promise<void>;
}

/** The server behind the protocol: tools, prompts and resources over one set of services. */
export function createApp(settings: Settings, log: Log): App {
  const { parts, close } = createServices(settings, log);
  const { titles } = parts;
  const dispatch = createDispatch(tools, parts, log);
  const readArtwork = createArtworkResource(dispatch);
  const readApp = createAppResource(parts);
  return {
    dispatch,
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
