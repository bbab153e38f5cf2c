import { buildAuthorizationUrl, calculatePKCECodeChallenge } from 'openid-client';
import type { Secret } from '../secret.ts';
import { configure, type Provider } from './provider.ts';

export interface AuthorizationRequest {
  /** As it is registered, to the letter. */
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly state: string;
  readonly nonce: Secret;
  readonly verifier: Secret;
}

/** The address that a person opens (Authentication 6). */
export async function authorizationUrl(provider: Provider, request: AuthorizationRequest): Promise<string> {
  const nothingIsSent = async (): Promise<Response> => {
    throw new TypeError('Building an address sends nothing.');
  };
  const url = buildAuthorizationUrl(configure(provider, null, nothingIsSent), {
    response_type: 'code',
    client_id: provider.app.clientId,
    redirect_uri: request.redirectUri,
    resource: provider.addresses.resource,
    scope: request.scopes.join(' '),
    code_challenge: await calculatePKCECodeChallenge(request.verifier.reveal()),
    code_challenge_method: 'S256',
    state: request.state,
    nonce: request.nonce.reveal(),
    prompt: 'consent',
  });
  return url.href;
}
