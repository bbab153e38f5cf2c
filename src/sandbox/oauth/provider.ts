import type { Provider as AuthorizationServer, ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import type { Database } from '../store/database.ts';
import type { Addresses } from './addresses.ts';
import { amendAnswer } from './amend.ts';
import { clientAdapter, settleClientRules } from './clients.ts';
import { beginConnection } from './connections.ts';
import type { Keys } from './keys.ts';
import { grantLifetime, type Lifetimes } from './lifetimes.ts';
import { Provider } from './oidc-provider.ts';
import { recordAdapter } from './records.ts';
import { resourceRules } from './resource.ts';
import { identityScopes, knownScopes } from './scopes.ts';

export interface ProviderParts {
  readonly database: Database;
  readonly addresses: Addresses;
  readonly keys: Keys;
  readonly lifetimes: Lifetimes;
  /** The name of an account, or undefined when there is no such account. */
  accountName(accountId: number): string | undefined;
  /** Told of defects; the app or the person sees `server_error`. */
  report(defect: unknown): void;
  /** A page that says what went wrong, written into `ctx`. */
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
        session: `catalogue_session_${keys.mark}`,
        interaction: `catalogue_request_${keys.mark}`,
        resume: `catalogue_resume_${keys.mark}`,
      },
      long: cookie,
      short: cookie,
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      // Access tokens are for {base_url}/me alone; who the person is stands in the id_token.
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
    claims: { openid: ['sub'], profile: ['name', 'preferred_username'] },
    responseTypes: ['code'],
    clientAuthMethods: ['none', 'client_secret_basic'],
    clientDefaults: { id_token_signed_response_alg: 'RS256' },
    extraClientMetadata: { properties: ['registered_scopes'] },
    enabledJWA: { idTokenSigningAlgValues: ['RS256'] },
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    clientBasedCORS: () => false,
    // A token that has ended by our clock has ended.
    clockTolerance: 0,
    rotateRefreshToken: true,
    // Signing out of the pages disconnects no app (Authentication 12).
    expiresWithSession: () => false,
    revokeGrantPolicy: () => true,
    // Each consent makes a connection of its own, so that ending one leaves the others; and so each asks.
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
  settleClientRules(provider);
  provider.use(async (ctx, next) => {
    await next();
    amendAnswer(ctx, addresses);
  });
  provider.on('server_error', (_ctx, defect) => parts.report(defect));
  // Koa's own word for what no answer could be made of.
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
