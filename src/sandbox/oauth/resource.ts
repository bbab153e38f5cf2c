import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';
import { errors } from './oidc-provider.ts';
import { isScope, resourceScopes } from './scopes.ts';

type Resources = NonNullable<NonNullable<Configuration['features']>['resourceIndicators']>;

/**
 * The rules for `resource` (Authentication 6 and 8): exactly `{base_url}/me` at the authorization and at the
 * code's exchange; a renewal names none and stays with its own. Tokens are opaque, for that audience alone.
 */
export function resourceRules(resource: string): Resources {
  return {
    enabled: true,
    // Asked when the authorization request names no resource.
    defaultResource() {
      throw new errors.InvalidTarget(`resource must be ${resource}`);
    },
    // Asked when the token request names none.
    useGrantedResource(ctx) {
      if (ctx.oidc.params?.grant_type === 'refresh_token') return true;
      throw new errors.InvalidTarget(`resource must be ${resource}`);
    },
    getResourceServerInfo(ctx, asked, client) {
      if (asked !== resource || Array.isArray(ctx.oidc.params?.resource)) {
        throw new errors.InvalidTarget(`resource must be ${resource}`);
      }
      if (ctx.oidc.route === 'authorization') checkScopes(ctx, client.registered_scopes);
      return { scope: resourceScopes.join(' '), audience: resource, accessTokenFormat: 'opaque' };
    },
  };
}

/** An app gets what it registered for, and nothing is dropped silently: the person sees what was asked. */
function checkScopes(ctx: KoaContextWithOIDC, registered: unknown): void {
  const asked = typeof ctx.oidc.params?.scope === 'string' ? ctx.oidc.params.scope.split(' ') : [];
  if (asked.length === 0) throw new errors.InvalidScope('scope is required', '');
  const allowed = typeof registered === 'string' ? registered.split(' ') : [];
  for (const scope of asked) {
    if (!isScope(scope)) throw new errors.InvalidScope('unknown scope', scope);
    if (!allowed.includes(scope))
      throw new errors.InvalidScope('the app is not registered for this scope', scope);
  }
}
