import { generateKeyPairSync, timingSafeEqual } from 'node:crypto';
import { type Configuration, errors, type JWK, type KoaContextWithOIDC, Provider } from 'oidc-provider';
import { problemPage, requestPage } from '../account/page.ts';
import type { Context } from '../context.ts';
import { logDefect } from '../log.ts';
import type { Store } from '../store.ts';
import { isCallbackOf } from './apps.ts';
import { epochSeconds, fingerprint } from './connection.ts';
import { appAdapter, recordAdapter } from './records.ts';
import { allScopes, identityScopes, isScope, resourceScopes } from './scopes.ts';

const minute = 60;
const day = 24 * 60 * minute;

/** Of the token endpoint, and of the revocation endpoint (Authentication 4 and 10). */
const clientAuthMethods = ['none', 'client_secret_basic'] as const;

/** The authorization server of Authentication 2 to 13. */
export function createProvider(context: Context): Provider {
  const { store, folder, origin, baseUrl } = context;
  store.run('DELETE FROM oauth_records WHERE expires_at <= ?', epochSeconds());
  const mark = folder.id.slice(0, 8);
  const cookie = { httpOnly: true, sameSite: 'lax', overwrite: true } as const;
  const provider = new Provider(`${origin}/api/auth`, {
    adapter: (model) => (model === 'Client' ? appAdapter(store) : recordAdapter(store, model)),
    jwks: { keys: [signingKey(store)] },
    cookies: {
      // Cookies ignore ports: two catalogues on one machine would overwrite each other's.
      names: { session: `session_${mark}`, interaction: `request_${mark}`, resume: `resume_${mark}` },
      // No address is below it: each sign-in of an app asks anew who the person is.
      long: { ...cookie, path: '/api/auth/none' },
      short: cookie,
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      // Access tokens are for {base_url}/me alone; the id_token names the person.
      userinfo: { enabled: false },
      resourceIndicators: resourceRules(`${baseUrl}/me`),
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
      },
    },
    routes: {
      authorization: '/oauth2/authorize',
      token: '/oauth2/token',
      revocation: '/oauth2/revoke',
      jwks: '/jwks',
    },
    scopes: [...identityScopes],
    claims: { openid: ['sub'], profile: ['name', 'preferred_username'] },
    responseTypes: ['code'],
    clientAuthMethods: [...clientAuthMethods],
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    extraClientMetadata: { properties: ['registered_scopes'] },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    clientBasedCORS: () => false,
    // A token expires exactly by our clock.
    clockTolerance: 0,
    rotateRefreshToken: true,
    expiresWithSession: () => false,
    revokeGrantPolicy: () => true,
    // Each consent makes a connection of its own, so that to end one leaves the others.
    async loadExistingGrant(ctx) {
      const grantId = ctx.oidc.result?.consent?.grantId;
      return grantId === undefined ? undefined : provider.Grant.find(grantId);
    },
    interactions: { url: (_ctx, { uid }) => requestPage(uid) },
    findAccount(_ctx, sub) {
      const name = store.first('SELECT name FROM accounts WHERE id = ?', Number(sub))?.text('name');
      if (name === undefined) return undefined;
      return { accountId: sub, claims: async () => ({ sub, name, preferred_username: name }) };
    },
    renderError(ctx, { error, error_description: description = '' }) {
      const page = problemPage(
        400,
        'The app’s request can’t be answered',
        'Something is wrong with what the app asked for, or it waited too long. Go back to the app and try again.',
        `${error} ${description}`,
      );
      ctx.set({ ...page.headers });
      ctx.body = page.body;
    },
    ttl: {
      AccessToken: context.accessTokenSeconds,
      AuthorizationCode: minute,
      // A grant ends with the last token under it.
      Grant: 3650 * day,
      IdToken: 60 * minute,
      Interaction: 15 * minute,
      RefreshToken: 90 * day,
      Session: 15 * minute,
    },
  });
  const client = provider.Client.prototype;
  // Only fingerprints of secrets are stored.
  client.compareClientSecret = function compareClientSecret(given) {
    const [expected, actual] = [Buffer.from(this.clientSecret ?? ''), Buffer.from(fingerprint(given))];
    return expected.length === actual.length && timingSafeEqual(expected, actual);
  };
  client.redirectUriAllowed = function redirectUriAllowed(given) {
    const { clientId, redirectUris = [] } = this;
    return redirectUris.some((redirectUri) => isCallbackOf({ clientId, redirectUri }, given));
  };
  provider.use(async (ctx, next) => {
    await next();
    amendAnswer(ctx, baseUrl);
  });
  provider.on('server_error', (_ctx, defect) => logDefect(defect));
  // Called by Koa when no answer was possible.
  provider.onerror = logDefect;
  return provider;
}

/** Drawn once for a data folder. With P-256 that takes a millisecond, with RSA as long as the rest of a sign-in. */
function signingKey(store: Store): JWK {
  const find = () => store.first("SELECT payload FROM oauth_records WHERE model = 'Key' AND id = 'signing'");
  if (find() === undefined) {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const payload = { ...privateKey.export({ format: 'jwk' }), kid: 'signing', alg: 'ES256', use: 'sig' };
    store.insert('oauth_records', { model: 'Key', id: 'signing', payload: JSON.stringify(payload) });
  }
  const key: JWK = JSON.parse(find()?.text('payload') ?? '');
  return key;
}

type Resources = NonNullable<NonNullable<Configuration['features']>['resourceIndicators']>;

/**
 * The rules for `resource` (Authentication 6 and 8): exactly `{base_url}/me` at the authorization and at the exchange of
 * the code; a renewal names none and keeps its own. Tokens are opaque, for that audience alone.
 */
function resourceRules(resource: string): Resources {
  const refusal = () => new errors.InvalidTarget(`resource must be ${resource}`);
  return {
    enabled: true,
    // Called when the authorization request names no resource.
    defaultResource() {
      throw refusal();
    },
    // Called when the token request names none.
    useGrantedResource(ctx) {
      if (ctx.oidc.params?.grant_type === 'refresh_token') return true;
      throw refusal();
    },
    getResourceServerInfo(ctx, requested, client) {
      if (requested !== resource || Array.isArray(ctx.oidc.params?.resource)) throw refusal();
      if (ctx.oidc.route === 'authorization') {
        // The authorization request has one (Authentication 6), and the callback must be checked by it (7).
        if (!ctx.oidc.params?.state) throw new errors.InvalidRequest('state is required');
        checkRequestedScopes(ctx.oidc.params.scope, client.registered_scopes);
      }
      return { scope: resourceScopes.join(' '), audience: resource, accessTokenFormat: 'opaque' };
    },
  };
}

/** An app can ask only for scopes that it registered for. None is dropped silently: the person sees all of them. */
function checkRequestedScopes(requested: unknown, registered: unknown): void {
  const list = (scopes: unknown) => (typeof scopes === 'string' && scopes !== '' ? scopes.split(' ') : []);
  if (list(requested).length === 0) throw new errors.InvalidScope('scope is required', '');
  for (const scope of list(requested)) {
    if (!isScope(scope)) throw new errors.InvalidScope('unknown scope', scope);
    if (!list(registered).includes(scope)) {
      throw new errors.InvalidScope('the app is not registered for this scope', scope);
    }
  }
}

/** Changes an answer of oidc-provider into what the interface document says. */
function amendAnswer(
  { body, oidc }: { readonly body: unknown; readonly oidc?: KoaContextWithOIDC['oidc'] },
  baseUrl: string,
): void {
  if (oidc === undefined || typeof body !== 'object' || body === null) return;
  if (oidc.route === 'discovery') {
    // oidc-provider assumes that every endpoint is below the issuer, and knows only its own scopes.
    Object.assign(body, {
      token_endpoint: `${baseUrl}/api/auth/oauth2/token`,
      revocation_endpoint: `${baseUrl}/api/auth/oauth2/revoke`,
      // Left out, it would mean client_secret_basic alone (RFC 8414, 2).
      revocation_endpoint_auth_methods_supported: clientAuthMethods,
      scopes_supported: allScopes,
    });
  }
  // oidc-provider names only the scopes of the resource; the app has to learn all that were approved (RFC 6749, 5.1).
  if (oidc.route === 'token' && 'access_token' in body) {
    const { AuthorizationCode: code, RefreshToken: renewal } = oidc.entities;
    Object.assign(body, { scope: oidc.params?.scope ?? code?.scope ?? renewal?.scope });
  }
}
