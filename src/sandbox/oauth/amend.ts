import type { KoaContextWithOIDC } from 'oidc-provider';
import type { Addresses } from './addresses.ts';
import { allScopes } from './scopes.ts';

/** An answer of oidc-provider's; without `oidc` where no endpoint took the request. */
interface Answer {
  readonly body: unknown;
  readonly oidc?: KoaContextWithOIDC['oidc'];
}

/** What oidc-provider answers, made into what the interface document says. */
export function amendAnswer({ body, oidc }: Answer, addresses: Addresses): void {
  if (oidc === undefined || typeof body !== 'object' || body === null) return;
  if (oidc.route === 'discovery') {
    // oidc-provider believes that every endpoint is below the issuer, and that scopes are its own alone.
    Object.assign(body, {
      token_endpoint: addresses.tokenUrl,
      revocation_endpoint: addresses.revocationUrl,
      scopes_supported: allScopes,
      response_modes_supported: ['query'],
    });
  }
  // It names the scopes of the resource only; the app is to know all that were approved (RFC 6749, 5.1).
  if (oidc.route === 'token' && 'access_token' in body) {
    const { AuthorizationCode: code, RefreshToken: renewal } = oidc.entities;
    const narrowed = oidc.params?.scope;
    Object.assign(body, { scope: narrowed ?? code?.scope ?? renewal?.scope });
  }
}
