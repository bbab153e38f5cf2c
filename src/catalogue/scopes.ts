import { ArtworkError } from '../errors.ts';

/** The scopes that protected operations need (interface document, Authentication: Scopes). */
export const protectedScopes = [
  'assets:write',
  'assets:replace',
  'sets:write',
  'groups:write',
  'relationships:write',
] as const;

export type OAuthScope = (typeof protectedScopes)[number];

/** What an operation needs: all of these scopes, or any one of them (Endpoints). */
export type NeededScopes =
  | { readonly allOf: readonly [OAuthScope, ...OAuthScope[]] }
  | { readonly anyOf: readonly [OAuthScope, ...OAuthScope[]] };

/** The scopes that are needed and still to be granted. Of alternatives, the first stands for all. */
export function missingScopes(needed: NeededScopes, granted: readonly string[]): readonly OAuthScope[] {
  if ('allOf' in needed) return needed.allOf.filter((scope) => !granted.includes(scope));
  return needed.anyOf.some((scope) => granted.includes(scope)) ? [] : [needed.anyOf[0]];
}

/**
 * Refuses a call that needs scopes which the connection was not granted.
 * @throws ArtworkError `scope_missing`, so that nothing is sent that can only be refused
 */
export function requireScopes(needed: NeededScopes, granted: readonly string[]): void {
  if (missingScopes(needed, granted).length > 0) throw scopeMissingError(needed, granted);
}

/**
 * Refuses a call of several operations for which the connection lacks scopes. What several operations need that go
 * together, named at once: one sign-in is enough for all of them.
 * @throws ArtworkError `scope_missing`
 */
export function requireScopesOfAll(all: readonly NeededScopes[], granted: readonly string[]): void {
  const lacking = all.filter((needed) => missingScopes(needed, granted).length > 0);
  const [only, ...more] = lacking;
  if (only === undefined) return;
  if (more.length === 0) throw scopeMissingError(only, granted);
  const missing: OAuthScope[] = [];
  for (const needed of lacking) missing.push(...missingScopes(needed, [...granted, ...missing]));
  const [first, ...rest] = missing;
  if (first !== undefined) throw scopeMissingError({ allOf: [first, ...rest] }, granted);
}

/** Names what is needed and the call that asks the person for it, beside all that was granted before. */
export function scopeMissingError(
  needed: NeededScopes,
  granted: readonly string[],
  facts: { readonly status?: number | undefined; readonly code?: string | undefined } = {},
): ArtworkError {
  const words =
    'allOf' in needed ? missingScopes(needed, granted).join(' and ') : `${needed.anyOf.join(' or ')}`;
  const scopes = [...new Set([...granted, ...missingScopes(needed, granted)])];
  return new ArtworkError('scope_missing', `This needs ${words}, which this connection was not granted.`, {
    ...facts,
    details: { missingScopes: missingScopes(needed, granted), grantedScopes: [...granted] },
    next: {
      tool: 'connect_account',
      arguments: { scopes },
      why: `The account's owner has to grant ${words}: a connection's scopes only change with a new sign-in.${confirmationWords(granted)}`,
    },
  });
}

/**
 * What to tell a person before they sign in over a connection that does not say whose it is; empty where it does.
 */
export function confirmationWords(granted: readonly string[]): string {
  if (granted.includes('openid')) return '';
  return ' This connection does not tell whose it is (openid was not granted), so after signing in the person confirms on the page that opens that it may be replaced; in a terminal it is `artwork-mcp connect --replace`.';
}
