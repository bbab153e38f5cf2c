import type { RegisteredApp } from '../connection/authorization-server.ts';
import type { Waker } from '../connection/connections.ts';
import { ArtworkError } from '../errors.ts';
import type { OpenConnection } from '../http/dispatchers.ts';
import type { Settings } from '../settings.ts';
import type { ServiceAddress } from './embedded.ts';
import { once } from './once.ts';

/** Where the service is, and the way to it. Every request asks anew. */
export interface ServiceEndpoint {
  /** @throws ArtworkError `service_unavailable` where the embedded catalogue can't be started */
  locate(): Promise<ServiceAddress>;
  /** undefined: requests connect as to any other service. */
  readonly open?: OpenConnection;
  /** undefined: the service is not ours to start. */
  readonly waker?: Waker;
}

/** The service of the settings, or the embedded catalogue, whose program is loaded only where it is used. */
export function createEndpoint(settings: Settings): ServiceEndpoint {
  const { baseUrl } = settings;
  if (baseUrl !== null) {
    const address = addressOf(settings, baseUrl, settings.clientId);
    return { locate: async () => address };
  }
  const embedded = once(async () => {
    const { createEmbedded } = await import('./embedded.ts');
    return createEmbedded(settings.home, (baseUrl, ownApp) =>
      addressOf(settings, baseUrl, settings.clientId ?? ownApp),
    );
  });
  // Connections to these ports may have to start it again. It may have moved since, so all of them count.
  const hosts = new Set<string>();
  return {
    async locate() {
      const address = await (await embedded.get()).locate();
      hosts.add(new URL(address.baseUrl).host);
      return address;
    },
    open: ({ hostname, port }, signal) =>
      hosts.has(`${hostname}:${port}`)
        ? embedded.get().then((catalogue) => catalogue.connect(Number(port), signal))
        : null,
    waker: {
      wake: async () => (await embedded.get()).wake(),
      keepAwake: async (lost) => (await embedded.get()).keepAwake(lost),
    },
  };
}

function addressOf(settings: Settings, baseUrl: string, clientId: string | null): ServiceAddress {
  const { origin } = new URL(baseUrl);
  return {
    baseUrl,
    authUrl: settings.authUrl ?? origin,
    assetOrigin: settings.assetUrl ?? origin,
    clientId,
  };
}

/** The app that signs in. @throws ArtworkError `not_connected` (`client_id_missing`): a person sets one */
export async function registeredApp(settings: Settings, endpoint: ServiceEndpoint): Promise<RegisteredApp> {
  const { baseUrl, authUrl, clientId } = await endpoint.locate();
  const { clientSecret, redirectUri } = settings;
  if (clientId !== null) return { baseUrl, authUrl, clientId, clientSecret, redirectUri };
  throw new ArtworkError('not_connected', 'No app is configured for this service.', {
    code: 'client_id_missing',
    next: {
      why: `A person registers an app at ${authUrl}, in the account's Apps area, with the callback ${redirectUri}. Then they set ARTWORK_CLIENT_ID. Without an account, they set ARTWORK_TOOLSETS=catalogue.`,
    },
  });
}
