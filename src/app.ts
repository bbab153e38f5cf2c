import { createServices } from './app/services.ts';
import type { Log } from './log.ts';
import { createDispatch } from './mcp/dispatch.ts';
import type { Answering } from './mcp/requests.ts';
import { createAppResource } from './resources.ts';
import type { Settings } from './settings.ts';
import { tools } from './tools/index.ts';

export interface App extends Answering {
  close(): Promise<void>;
}

/** The server behind the protocol: tools and the view of MCP Apps over one set of services. */
export function createApp(settings: Settings, log: Log): App {
  const { parts, close } = createServices(settings, log);
  return { dispatch: createDispatch(tools, parts, log), readResource: createAppResource(parts), close };
}
