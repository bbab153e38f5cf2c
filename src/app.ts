import { createCatalogue } from './catalogue/client.ts';
import { ArtworkError } from './errors.ts';
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
  const catalogue = createCatalogue({ locate: locator(settings), userAgent, log });
  const parts: Parts = { settings, catalogue };
  const dispatch = createDispatch(tools, parts, log);
  return { parts, dispatch, readResource: createArtworkResource(dispatch), close: () => catalogue.close() };
}

/** Where the service is; the embedded catalogue is started, or joined, when it is first needed. */
function locator(settings: Settings) {
  const { baseUrl } = settings;
  if (baseUrl !== null) {
    const assetOrigin = settings.assetUrl ?? new URL(baseUrl).origin;
    return async () => ({ baseUrl, assetOrigin });
  }
  let running: Promise<{ baseUrl: string; assetOrigin: string }> | undefined;
  return (fresh: boolean) => {
    if (fresh || running === undefined) {
      running = embeddedCatalogue(settings.home);
      // A start that failed is tried again by the next call.
      running.catch(() => {
        running = undefined;
      });
    }
    return running;
  };
}

async function embeddedCatalogue(home: string) {
  const { ensureSandbox, SandboxError } = await import('./sandbox/launch.ts');
  try {
    const { baseUrl } = await ensureSandbox({ home });
    return { baseUrl, assetOrigin: new URL(baseUrl).origin };
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    throw new ArtworkError('service_unavailable', error.message, { next: { why: error.message } });
  }
}
