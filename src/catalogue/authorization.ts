import type { Deadline } from '../deadline.ts';
import { ArtworkError, type Next } from '../errors.ts';
import { ownCommand } from '../own-command.ts';
import { type ServicePath, unlessAborted } from './call.ts';
import type { Dispatchers } from './dispatchers.ts';
import type { Answer, Reader } from './reader.ts';

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
function scopeMissingError(
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
      why: `The account's owner has to grant ${words}: a connection's scopes only change with a new sign-in.`,
    },
  });
}

/** A 403 on a connection whose permissions the service did not tell. */
function scopeInDoubtError(
  needed: NeededScopes,
  granted: readonly string[],
  facts: { readonly status?: number | undefined; readonly code?: string | undefined },
): ArtworkError {
  const words = 'allOf' in needed ? needed.allOf.join(' and ') : needed.anyOf.join(' or ');
  const message = `The service refused this. It did not say which permissions it granted, so either ${words} is missing, or this is another account's.`;
  return new ArtworkError('scope_missing', message, {
    ...facts,
    details: { neededScopes: 'allOf' in needed ? needed.allOf : needed.anyOf },
    next: {
      tool: 'connect_account',
      arguments: { scopes: [...granted] },
      why: `The account's owner signs in anew and grants ${words}, if that was not granted. If it was, this is another account's, and only that one can read it here or change it.`,
    },
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
 * Where access tokens come from. Rejections are ArtworkErrors (`not_connected`, `reconnect_required`, or why a
 * renewal failed) and are handed on as they are.
 */
export interface Access<Token extends AccessToken = AccessToken> {
  /** One that should be good at this moment. */
  bearer(signal: AbortSignal): Promise<Token>;
  /** The service said 401 to this one: another one, or the reason why there is none. */
  rejected(token: Token, signal: AbortSignal): Promise<Token>;
  /** The service accepted this one. */
  accepted?(token: Token): void;
}

/** Answers also the token that the service accepted: only its account may see what the answer holds. */
export type ProtectedReader<Token extends AccessToken = AccessToken> = (
  path: ServicePath,
  needed: NeededScopes,
  deadline: Deadline,
) => Promise<{ readonly answer: Answer; readonly token: Token }>;

interface ProtectedReaderParts<Token extends AccessToken> {
  readonly read: Reader;
  readonly dispatchers: Dispatchers;
  readonly access: Access<Token>;
  readonly maxBytes: number;
}

/**
 * GETs below `/me` with a bearer token (interface document, Authentication 11): no cookies, no redirects,
 * nothing kept. A token that is answered with 401 is given up once; the next one's 401 is the end of it.
 */
export function createProtectedReader<Token extends AccessToken>(
  parts: ProtectedReaderParts<Token>,
): ProtectedReader<Token> {
  const { read, dispatchers, access, maxBytes } = parts;

  const readWith = async (path: ServicePath, needed: NeededScopes, token: Token, deadline: Deadline) => {
    requireScopes(needed, token.scopes);
    const answer = await read(
      {
        to: ({ origin, prefix }) => ({ dispatcher: dispatchers.for(origin), origin, path: prefix + path }),
        accept: 'application/json',
        maxBytes,
        bearer: headerValue(token),
      },
      deadline,
    );
    access.accepted?.(token);
    return { answer, token };
  };

  return async (path, needed, deadline) => {
    let token = await unlessAborted(deadline.signal, access.bearer(deadline.signal));
    try {
      try {
        return await readWith(path, needed, token, deadline);
      } catch (error) {
        if (!(error instanceof ArtworkError) || error.status !== 401) throw error;
      }
      token = await unlessAborted(deadline.signal, access.rejected(token, deadline.signal));
      return await readWith(path, needed, token, deadline);
    } catch (error) {
      throw error instanceof ArtworkError ? protectedError(error, needed, token) : error;
    }
  };
}

/** @throws ArtworkError for a token that no header can carry; what it holds is not told. */
function headerValue({ token }: AccessToken): string {
  const value = token.reveal();
  if (/^[\x21-\x7e]+$/.test(value)) return value;
  throw new ArtworkError(
    'reconnect_required',
    'The access token holds characters that no header can carry.',
    {
      next: { tool: 'connect_account', arguments: {}, why: 'A new sign-in brings another token.' },
    },
  );
}

/**
 * What a refused protected request means to its caller (interface document, Errors: 401 and 403). A 403
 * is `scope_missing` unless the service said that it granted every needed scope; then the resource is not the caller's.
 */
export function protectedError(
  error: ArtworkError,
  needed: NeededScopes,
  { scopes: granted, scopesUntold }: Omit<AccessToken, 'token'>,
): ArtworkError {
  const { status, category, message, details, issues } = error;
  const code = error.code === category ? undefined : error.code;
  const isForbidden = status === 403 && category === 'forbidden';
  if (isForbidden && missingScopes(needed, granted).length > 0) {
    return scopeMissingError(needed, granted, { status, code });
  }
  if (isForbidden && scopesUntold === true) return scopeInDoubtError(needed, granted, { status, code });
  if ((!isForbidden && status !== 401) || error.next !== undefined) return error;
  const facts = { code, status, details, issues };
  if (isForbidden) return new ArtworkError(category, message, { ...facts, next: notOwned });
  const why = 'The service no longer accepts this connection: its owner has to sign in again.';
  const next = { tool: 'connect_account', arguments: {}, why };
  return new ArtworkError('reconnect_required', message, { ...facts, next });
}

/** "Permissions never override ownership" (Authentication, Scopes). */
export const notOwned: Next = {
  why: 'Every needed permission is granted, so it is another account’s, and only that one can read it here or change it. find_upload_destinations lists what is this account’s own; a picture of your own is put beside another’s by upload_asset with operation add, and what another has made is seen by get_entity, get_set and view_artwork.',
};
