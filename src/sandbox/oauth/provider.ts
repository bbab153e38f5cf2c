import type {
  Configuration,
  ErrorOut,
  KoaContextWithOIDC,
  Provider as AuthorizationServer,
} from 'oidc-provider';
import type { Database } from '../store/database.ts';
import type { Addresses } from './addresses.ts';
import { clientAdapter, overrideClientRules } from './clients.ts';
import { beginConnection } from './connections.ts';
import type { Keys } from './keys.ts';
import { errors, Provider } from './oidc-provider.ts';
import { pageKeyParameter } from '../account/session.ts';
import { ticketParameter } from '../account/ticket.ts';
import { recordAdapter } from './records.ts';
import { allScopes, identityScopes, isScope, knownScopes, resourceScopes } from './scopes.ts';

/** Lifetimes in seconds. The interface document shows no figures (Authentication). */
export interface Lifetimes {
  readonly authorizationCode: number;
  readonly accessToken: number;
  /** Starts again with each renewal. */
  readonly refreshToken: number;
  /** How long a person may take on the consent page. */
  readonly interaction: number;
  readonly session: number;
}

const day = 24 * 60 * 60;

export const defaultLifetimes: Lifetimes = {
  authorizationCode: 60,
  accessToken: 10 * 60,
  refreshToken: 90 * day,
  interaction: 15 * 60,
  session: 14 * day,
};

/** Of the token endpoint, and of the revocation endpoint (Authentication 4 and 10). */
const clientAuthMethods = ['none', 'client_secret_basic'] as const;

/** No limit of its own: a grant ends with the last token under it. */
const grantLifetime = 3650 * day;

interface ProviderParts {
  readonly database: Database;
  readonly addresses: Addresses;
  readonly keys: Keys;
  readonly lifetimes: Lifetimes;
  /** The name of an account, or undefined when there is no such account. */
  accountName(accountId: number): string | undefined;
  /** Called with each defect; the app or the person sees `server_error`. */
  report(defect: unknown): void;
  /** Writes a page into `ctx` that says what went wrong. */
  renderError(ctx: KoaContextWithOIDC, problem: ErrorOut): void;
}

/** The authorization server of Authentication 2 to 13, at the document's paths. */
export function createProvider(parts: ProviderParts): AuthorizationServer {
  const { database, addresses, keys, lifetimes } = parts;
  const cookie = { httpOnly: true, sameSite: 'lax', signed: true, overwrite: true } as const;
  const provider = new Provider(addresses.issuer, {
    adapter: (model) => (model === 'Client' ? clientAdapter(database) : recordAdapter(database, model)),
    jwks: { keys: [keys.signing] },
    cookies: {
      keys: [keys.cookies],
      names: {
        session: `catalogue_session_${keys.cookieSuffix}`,
        interaction: `catalogue_request_${keys.cookieSuffix}`,
        resume: `catalogue_resume_${keys.cookieSuffix}`,
      },
      long: cookie,
      short: cookie,
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      // Access tokens are for {base_url}/me alone; the id_token names the person.
      userinfo: { enabled: false },
      resourceIndicators: resourceRules(addresses.resource),
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
    scopes: identityScopes,
    // Let the person's browser choose an account without its password, and go on as who has just signed in. No part of
    // the interface document.
    extraParams: [ticketParameter, pageKeyParameter],
    claims: { openid: ['sub'], profile: ['name', 'preferred_username'] },
    responseTypes: ['code'],
    clientAuthMethods: [...clientAuthMethods],
    clientDefaults: { id_token_signed_response_alg: 'RS256' },
    extraClientMetadata: { properties: ['registered_scopes'] },
    enabledJWA: { idTokenSigningAlgValues: ['RS256'] },
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    clientBasedCORS: () => false,
    // A token expires exactly by our clock.
    clockTolerance: 0,
    rotateRefreshToken: true,
    // Signing out of the pages disconnects no app (Authentication 12).
    expiresWithSession: () => false,
    revokeGrantPolicy: () => true,
    // Each consent creates its own connection, so that to end one leaves the others; so each request asks for
    // consent.
    async loadExistingGrant(ctx) {
      const grantId = ctx.oidc.result?.consent?.grantId;
      return grantId === undefined ? undefined : provider.Grant.find(grantId);
    },
    interactions: {
      url: (_ctx, interaction) => `${addresses.accountPath}/requests/${interaction.uid}`,
    },
    findAccount(_ctx, sub) {
      const name = parts.accountName(Number(sub));
      if (name === undefined) return undefined;
      return { accountId: sub, claims: async () => ({ sub, name, preferred_username: name }) };
    },
    renderError: (ctx, out) => parts.renderError(ctx, out),
    ttl: {
      AccessToken: lifetimes.accessToken,
      AuthorizationCode: lifetimes.authorizationCode,
      Grant: grantLifetime,
      IdToken: 60 * 60,
      Interaction: lifetimes.interaction,
      RefreshToken: lifetimes.refreshToken,
      Session: lifetimes.session,
    },
  });
  overrideClientRules(provider);
  provider.use(async (ctx, next) => {
    await next();
    amendAnswer(ctx, addresses);
  });
  provider.on('server_error', (_ctx, defect) => parts.report(defect));
  // Called by Koa when no answer was possible.
  provider.onerror = (defect) => parts.report(defect);
  provider.on('grant.success', (ctx) => {
    const { AuthorizationCode: code, Client: client } = ctx.oidc.entities;
    if (code?.grantId === undefined || client === undefined) return;
    beginConnection(database, {
      id: code.grantId,
      accountId: Number(code.accountId),
      clientId: client.clientId,
      scopes: knownScopes(code.scope ?? ''),
    });
  });
  return provider;
}

type Resources = NonNullable<NonNullable<Configuration['features']>['resourceIndicators']>;

/**
 * The rules for `resource` (Authentication 6 and 8): exactly `{base_url}/me` at the authorization and at the
 * exchange of the code; a renewal names none and keeps its own. Tokens are opaque, for that audience alone.
 */
function resourceRules(resource: string): Resources {
  return {
    enabled: true,
    // Called when the authorization request names no resource.
    defaultResource() {
      throw new errors.InvalidTarget(`resource must be ${resource}`);
    },
    // Called when the token request names none.
    useGrantedResource(ctx) {
      if (ctx.oidc.params?.grant_type === 'refresh_token') return true;
      throw new errors.InvalidTarget(`resource must be ${resource}`);
    },
    getResourceServerInfo(ctx, requested, client) {
      if (requested !== resource || Array.isArray(ctx.oidc.params?.resource)) {
        throw new errors.InvalidTarget(`resource must be ${resource}`);
      }
      if (ctx.oidc.route === 'authorization') {
        // The authorization request has one (Authentication 6), and the callback must be checked by it (7).
        if (!ctx.oidc.params?.state) throw new errors.InvalidRequest('state is required');
        checkRequestedScopes(ctx, client.registered_scopes);
      }
      return { scope: resourceScopes.join(' '), audience: resource, accessTokenFormat: 'opaque' };
    },
  };
}

/**
 * An app can request only scopes that it registered for. None is dropped silently: the person sees all of
 * them.
 */
function checkRequestedScopes(ctx: KoaContextWithOIDC, registered: unknown): void {
  const requested = typeof ctx.oidc.params?.scope === 'string' ? ctx.oidc.params.scope.split(' ') : [];
  if (requested.length === 0) throw new errors.InvalidScope('scope is required', '');
  const allowed = typeof registered === 'string' ? registered.split(' ') : [];
  for (const scope of requested) {
    if (!isScope(scope)) throw new errors.InvalidScope('unknown scope', scope);
    if (!allowed.includes(scope))
      throw new errors.InvalidScope('the app is not registered for this scope', scope);
  }
}

/** An answer of oidc-provider; without `oidc` where no endpoint took the request. */
interface ProviderAnswer {
  readonly body: unknown;
  readonly oidc?: KoaContextWithOIDC['oidc'];
}

/** Changes an answer of oidc-provider into what the interface document says. */
function amendAnswer({ body, oidc }: ProviderAnswer, addresses: Addresses): void {
  if (oidc === undefined || typeof body !== 'object' || body === null) return;
  if (oidc.route === 'discovery') {
    // oidc-provider assumes that every endpoint is below the issuer, and knows only its own scopes.
    Object.assign(body, {
      token_endpoint: addresses.tokenUrl,
      revocation_endpoint: addresses.revocationUrl,
      // Left out, it would mean client_secret_basic alone (RFC 8414, 2).
      revocation_endpoint_auth_methods_supported: clientAuthMethods,
      scopes_supported: allScopes,
      response_modes_supported: ['query'],
    });
  }
  // oidc-provider names only the scopes of the resource; the app has to learn all that were approved (RFC
  // 6749, 5.1).
  if (oidc.route === 'token' && 'access_token' in body) {
    const { AuthorizationCode: code, RefreshToken: renewal } = oidc.entities;
    const narrowed = oidc.params?.scope;
    Object.assign(body, { scope: narrowed ?? code?.scope ?? renewal?.scope });
  }
}
