import { shownPageOf, type SeenPage, signIn, Visitor } from '../support/sign-in.ts';
import type { AuthorizationServer } from './oauth-server.ts';

/** A person who is signed in, on the Apps page. */
export async function person(
  server: AuthorizationServer,
  which: 0 | 1 = 0,
): Promise<{ visitor: Visitor; apps: SeenPage }> {
  const visitor = new Visitor();
  const asked = await visitor.openPage(`${server.authUrl}/account/apps`);
  return { visitor, apps: shownPageOf(await signIn(visitor, asked, server.accounts[which])) };
}

export function heading(seen: SeenPage): string {
  return /<h1>([^<]*)/.exec(seen.markup)?.[1] ?? '';
}
