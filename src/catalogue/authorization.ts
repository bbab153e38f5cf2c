import { ArtworkError, type ErrorFacts, type Next } from '../errors.ts';

/** The scopes that protected operations need (interface document, Authentication: Scopes). */
export type OAuthScope =
  | 'assets:write'
  | 'assets:replace'
  | 'sets:write'
  | 'groups:write'
  | 'relationships:write';

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
  requireScopesOfAll([needed], granted);
}

/** The same of several operations at once: one sign-in is enough for all of them. */
export function requireScopesOfAll(all: readonly NeededScopes[], granted: readonly string[]): void {
  const lacking = all.filter((needed) => missingScopes(needed, granted).length > 0);
  if (lacking.length > 0) throw scopeMissing(lacking, granted);
}

/** Names what is missing, and the call that asks the person for it, beside all that was granted before. */
function scopeMissing(lacking: readonly NeededScopes[], granted: readonly string[], facts: ErrorFacts = {}) {
  const missing: OAuthScope[] = [];
  for (const needed of lacking) missing.push(...missingScopes(needed, [...granted, ...missing]));
  const words = lacking
    .map((needed) => ('allOf' in needed ? needed.allOf.join(' and ') : needed.anyOf.join(' or ')))
    .join(' and ');
  const doubt = missing.length > 0 ? '' : ' If it is granted, this belongs to another account.';
  const why = `The account's owner has to grant ${words}: a connection's scopes only change with a new sign-in.${doubt}`;
  const message = `This needs ${words}, which this connection was not granted.`;
  return new ArtworkError('scope_missing', missing.length > 0 ? message : `This may need ${words}.${doubt}`, {
    ...facts,
    details: { missingScopes: missing, grantedScopes: [...granted] },
    next: { tool: 'connect_account', arguments: { scopes: [...granted, ...missing] }, why },
  });
}

/** An access token with what it was granted, as the owner of the connection hands it out. */
export interface AccessToken {
  /** Hides what it holds from every way of printing it; `reveal` is for the header alone. */
  readonly token: { reveal(): string };
  readonly scopes: readonly string[];
  /** The service did not say which scopes it granted: these are those that were asked for. */
  readonly scopesUntold?: boolean | undefined;
}

/**
 * Where access tokens come from. Rejections are ArtworkErrors (`not_connected`, `reconnect_required`, or why a renewal
 * failed) and are handed on as they are.
 */
export interface Access<Token extends AccessToken = AccessToken> {
  /** One that should be good at this moment. */
  bearer(signal: AbortSignal): Promise<Token>;
  /** The service said 401 to this one: another one, or the reason why there is none. */
  rejected(token: Token, signal: AbortSignal): Promise<Token>;
  /** The service accepted this one. */
  accepted?(token: Token): void;
}

/**
 * What a refused protected request means to its caller (interface document, Errors: 401 and 403). A 403 is
 * `scope_missing` unless the service said that it granted every needed scope; then the resource is not the caller's.
 */
export function protectedError(
  error: ArtworkError,
  needed: NeededScopes,
  { scopes: granted, scopesUntold }: Omit<AccessToken, 'token'>,
): ArtworkError {
  if (error.next !== undefined) return error;
  const { status, failure, message, details, issues } = error;
  const facts = { code: error.code === failure ? undefined : error.code, status, details, issues };
  if (status === 401) {
    const why = 'The service no longer accepts this connection: its owner has to sign in again.';
    const next = { tool: 'connect_account', arguments: {}, why };
    return new ArtworkError('reconnect_required', message, { ...facts, next });
  }
  if (failure !== 'forbidden') return error;
  const isGranted = missingScopes(needed, granted).length === 0 && scopesUntold !== true;
  return isGranted ? error.leadingTo(notOwned) : scopeMissing([needed], granted, facts);
}

/** "Permissions never override ownership" (Authentication, Scopes). */
export const notOwned: Next = {
  why: 'Every needed permission is granted, so this belongs to another account, and only that account can change it. find_upload_destinations lists what belongs to this account. upload_asset with operation add puts your own picture beside it. get_entity, get_set and view_artwork show what others made.',
};
