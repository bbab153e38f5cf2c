import type { Locate } from '../catalogue/client.ts';
import { ArtworkError } from '../errors.ts';
import type { Settings } from '../settings.ts';

/** Where the configured service is, all of its addresses; the embedded catalogue is started or joined for it. */
export interface Whereabouts {
  readonly locate: Locate;
  service(): Promise<ServiceAddress>;
}

export interface ServiceAddress {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly assetOrigin: string;
  /** null: none is configured, and only the embedded catalogue knows this program without. */
  readonly clientId: string | null;
}

export function createWhereabouts(settings: Settings): Whereabouts {
  const find = settings.baseUrl === null ? embedded(settings) : configured(settings, settings.baseUrl);
  return { locate: find, service: () => find(false) };
}

function configured(settings: Settings, baseUrl: string): (fresh: boolean) => Promise<ServiceAddress> {
  const { origin } = new URL(baseUrl);
  const address = {
    baseUrl,
    authUrl: settings.authUrl ?? origin,
    assetOrigin: settings.assetUrl ?? origin,
    clientId: settings.clientId,
  };
  return async () => address;
}

function embedded(settings: Settings): (fresh: boolean) => Promise<ServiceAddress> {
  let running: Promise<ServiceAddress> | undefined;
  return (fresh) => {
    if (!fresh && running !== undefined) return running;
    const starting = startEmbedded(settings);
    running = starting;
    // A start that failed is tried again by the next call.
    starting.catch(() => {
      if (running === starting) running = undefined;
    });
    return starting;
  };
}

async function startEmbedded(settings: Settings): Promise<ServiceAddress> {
  const { ensureSandbox, SandboxError } = await import('../sandbox/launch.ts');
  try {
    const { baseUrl, clientId } = await ensureSandbox({ home: settings.home });
    const { origin } = new URL(baseUrl);
    return {
      baseUrl,
      authUrl: settings.authUrl ?? origin,
      assetOrigin: settings.assetUrl ?? origin,
      clientId: settings.clientId ?? clientId,
    };
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    throw new ArtworkError('service_unavailable', error.message, {
      next: { why: 'A person has to mend what the message says.' },
    });
  }
}
