import * as oauth from 'openid-client';
import type { Secret } from '../secret.ts';
import { type ProviderAddresses, providerAddresses, type ProviderMetadata } from './metadata.ts';
import type { Transport } from './transport.ts';

/** The registered app and where its service is. */
interface ClientRegistration {
  /** `{base_url}` without a trailing slash. */
  readonly baseUrl: string;
  /** `{auth_url}` without a trailing slash. */
  readonly authUrl: string;
  readonly clientId: string;
  /** null: a public client (Authentication 4). */
  readonly clientSecret: Secret | null;
}

export interface Provider {
  readonly app: ClientRegistration;
  readonly addresses: ProviderAddresses;
  readonly transport: Transport;
  /** How long one request may take, milliseconds; after that its outcome is unknown. */
  readonly requestMs: number;
}

/** What every request to the OAuth provider needs: this app, the addresses, the transport, the time. */
export function createProvider(app: ClientRegistration, transport: Transport, requestMs: number): Provider {
  return { app, addresses: providerAddresses(app.baseUrl, app.authUrl), transport, requestMs };
}

/** Sets up openid-client for one request. Public clients send `client_id`, confidential ones also HTTP Basic. */
export function configureClient(
  { app, addresses, requestMs }: Provider,
  metadata: ProviderMetadata | null,
  fetch: oauth.CustomFetch,
): oauth.Configuration {
  const server: oauth.ServerMetadata = {
    issuer: metadata?.issuer ?? addresses.issuer,
    authorization_endpoint: addresses.authorize,
    token_endpoint: addresses.token,
    revocation_endpoint: addresses.revoke,
    ...(metadata === null
      ? {}
      : {
          id_token_signing_alg_values_supported: [...metadata.idTokenAlgorithms],
          authorization_response_iss_parameter_supported: metadata.namesIssuer,
        }),
  };
  const { clientId, clientSecret } = app;
  const authentication =
    clientSecret === null ? oauth.None() : oauth.ClientSecretBasic(clientSecret.reveal());
  const configuration = new oauth.Configuration(server, clientId, undefined, authentication);
  // The settings allow plain http on loopback only.
  if ([app.baseUrl, app.authUrl].some((url) => url.startsWith('http:'))) {
    oauth.allowInsecureRequests(configuration);
  }
  configuration.timeout = requestMs / 1000;
  configuration[oauth.customFetch] = fetch;
  return configuration;
}
