import type { CatalogueAddress } from '../catalogue/call.ts';
import type { RegisteredApp } from '../connection/authorization-server.ts';
import type { Wake } from '../connection/connections.ts';
import { ArtworkError } from '../errors.ts';
import type { OpenConnection } from '../http/dispatchers.ts';
import type { Settings } from '../settings.ts';
import { createEmbedded } from './embedded.ts';

export interface ServiceAddress extends CatalogueAddress {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly assetOrigin: string;
  /** null: no app is configured. Only the embedded catalogue has one of its own. */
  readonly clientId: string | null;
}

/** Where the service is, and the way to it. Every request asks anew. */
export interface ServiceEndpoint {
  /** @throws ArtworkError `service_unavailable` where the embedded catalogue can't be started */
  locate(): Promise<ServiceAddress>;
  /** undefined: requests connect as to any other service. */
  readonly open?: OpenConnection;
  /** undefined: the service is not ours to start. */
  readonly wake?: Wake;
}

/** The service of the settings, or the embedded catalogue. */
export function createEndpoint(settings: Settings): ServiceEndpoint {
  const { baseUrl, clientId, home } = settings;
  if (baseUrl === null)
    return createEmbedded(home, (started, ownApp) => addressOf(settings, started, clientId ?? ownApp));
  const address = addressOf(settings, baseUrl, clientId);
  return { locate: async () => address };
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
      why: `Only a person can change this: register an app at ${authUrl}, in the account's Apps area, with the callback ${redirectUri}. Then set ARTWORK_CLIENT_ID. To use no account, set ARTWORK_TOOLSETS=catalogue.`,
    },
  });
}
