import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Account } from './accounts.ts';
import type { Area } from './area.ts';

/**
 * Who is signed in to the pages. The session is oidc-provider's own, so that signing in once serves the
 * consent page and the Apps area alike.
 */
export interface SignedIn {
  readonly account: Account;
  readonly sessionUid: string;
}

export async function currentSession(
  area: Area,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<SignedIn | null> {
  const session = await storedSession(area, request, response);
  const account = session.accountId === undefined ? undefined : area.accounts.find(Number(session.accountId));
  if (account === undefined) return null;
  return { account, sessionUid: session.uid };
}

/** Starts a new session under a new id, whatever was before: nobody can have chosen it beforehand. */
export async function signIn(
  area: Area,
  request: IncomingMessage,
  response: ServerResponse,
  account: Account,
): Promise<void> {
  await endSession(area, request, response);
  const session = new area.provider.Session();
  session.loginAccount({ accountId: String(account.id) });
  await session.save(area.lifetimes.session);
  area.provider
    .createContext(request, response)
    .cookies.set(area.provider.cookieName('session'), session.jti, {
      httpOnly: true,
      sameSite: 'lax',
      signed: true,
      overwrite: true,
      maxAge: area.lifetimes.session * 1000,
    });
}

/** Signs out here. The apps that are connected stay connected (Authentication 12). */
export async function signOut(area: Area, request: IncomingMessage, response: ServerResponse): Promise<void> {
  await endSession(area, request, response);
  area.provider.createContext(request, response).cookies.set(area.provider.cookieName('session'), null, {
    overwrite: true,
    signed: true,
  });
}

async function endSession(area: Area, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const session = await storedSession(area, request, response);
  if (session.accountId !== undefined) await session.destroy();
}

async function storedSession(area: Area, request: IncomingMessage, response: ServerResponse) {
  return area.provider.Session.get(area.provider.createContext(request, response));
}
