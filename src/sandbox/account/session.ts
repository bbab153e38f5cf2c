import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Account } from './accounts.ts';
import type { AccountContext } from './context.ts';

/**
 * The person who is signed in to the pages. The session is oidc-provider's own, so that one sign-in covers
 * the consent page and the account pages.
 */
export interface AccountSession {
  readonly account: Account;
  readonly sessionUid: string;
  /** In the address of every page of this session. */
  readonly pageKey: string;
}

/**
 * Carries the key through an authorization request that is begun again after a sign-in: from there on it stands in what
 * the catalogue keeps of the request, which only the browser that began it can answer.
 */
export const pageKeyParameter = 'page_key';

/** The session of the browser's cookie. Without the key of its pages, another server may have got the cookie. */
export async function currentSession(
  context: AccountContext,
  request: IncomingMessage,
  response: ServerResponse,
  pageKey: string | null,
): Promise<AccountSession | null> {
  if (pageKey === null) return null;
  const session = await storedSession(context, request, response);
  const account =
    session.accountId === undefined ? undefined : context.accounts.find(Number(session.accountId));
  if (account === undefined || !isSameText(pageKey, context.keys.pageKey(session.uid))) return null;
  return { account, sessionUid: session.uid, pageKey };
}

/** Compares in constant time. */
export function isSameText(given: string, expected: string): boolean {
  const one = Buffer.from(given);
  const other = Buffer.from(expected);
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Starts a session under a new id, which prevents session fixation. Answers the key of its pages. */
export async function signIn(
  context: AccountContext,
  request: IncomingMessage,
  response: ServerResponse,
  account: Account,
): Promise<string> {
  await endSession(context, request, response);
  const session = new context.provider.Session();
  session.loginAccount({ accountId: String(account.id) });
  await session.save(context.lifetimes.session);
  context.provider
    .createContext(request, response)
    .cookies.set(context.provider.cookieName('session'), session.jti, {
      httpOnly: true,
      sameSite: 'lax',
      signed: true,
      overwrite: true,
      maxAge: context.lifetimes.session * 1000,
    });
  return context.keys.pageKey(session.uid);
}

/** Signs out of the pages. Connected apps stay connected (Authentication 12). */
export async function signOut(
  context: AccountContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  await endSession(context, request, response);
  context.provider
    .createContext(request, response)
    .cookies.set(context.provider.cookieName('session'), null, {
      overwrite: true,
      signed: true,
    });
}

async function endSession(
  context: AccountContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const session = await storedSession(context, request, response);
  if (session.accountId !== undefined) await session.destroy();
}

async function storedSession(context: AccountContext, request: IncomingMessage, response: ServerResponse) {
  return context.provider.Session.get(context.provider.createContext(request, response));
}
