import { timingSafeEqual } from 'node:crypto';
import type { Adapter, Provider } from 'oidc-provider';
import type { Database } from '../store/database.ts';
import { findApp, secretFingerprint } from './apps.ts';
import { isCallbackOf } from './registration.ts';
import { fingerprint } from './storage.ts';

/** Lets oidc-provider find the registered apps. It never writes any: there is no dynamic registration. */
export function clientAdapter(database: Database): Adapter {
  const refuse = async (): Promise<never> => {
    throw new Error('Apps are registered by people, in the Apps area.');
  };
  return {
    async find(clientId) {
      const app = findApp(database, clientId);
      if (app === undefined) return undefined;
      const secret = secretFingerprint(database, clientId);
      return {
        client_id: app.clientId,
        client_name: app.name,
        redirect_uris: [app.redirectUri],
        // "native" would allow any port of a loopback callback; the document compares the port too.
        application_type: 'web',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: secret === null ? 'none' : 'client_secret_basic',
        ...(secret === null ? {} : { client_secret: secret }),
        registered_scopes: app.scopes.join(' '),
      };
    },
    upsert: refuse,
    findByUserCode: refuse,
    findByUid: refuse,
    consume: refuse,
    destroy: refuse,
    revokeByGrantId: refuse,
  };
}

/** Overrides rules of oidc-provider about clients that differ from the interface document. */
export function overrideClientRules(provider: Provider): void {
  const client = provider.Client.prototype;
  // Only fingerprints of secrets are stored.
  client.compareClientSecret = function compareClientSecret(given) {
    const expected = Buffer.from(this.clientSecret ?? '');
    const actual = Buffer.from(fingerprint(given));
    return expected.length === actual.length && timingSafeEqual(expected, actual);
  };
  client.redirectUriAllowed = function redirectUriAllowed(given) {
    return this.redirectUris?.some((registered) => isCallbackOf(this.clientId, registered, given)) === true;
  };
  // A code is sent in the callback's query (Authentication 6 and 7), never in a fragment or form.
  client.responseModeAllowed = (mode, type) => mode === 'query' || type !== 'code';
}
