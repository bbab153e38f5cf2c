import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { allScopes, type Household } from './account.ts';
import { type StartedServer, startServer } from './client.ts';
import { freePort } from './free-port.ts';

const begun = z.object({ url: z.url() });

/** Settings of a server for an app of its own, registered with all scopes. */
export async function registered(household: Household): Promise<Record<string, string>> {
  const redirectUri = `http://127.0.0.1:${await freePort()}/callback`;
  return household.register({ type: 'public', redirectUri, scopes: allScopes });
}

/** Signs the numbered account in through the tool and the real pages. */
export async function signInThrough(
  server: StartedServer,
  household: Household,
  {
    scopes = allScopes,
    account = 0,
  }: { readonly scopes?: readonly string[]; readonly account?: number } = {},
): Promise<void> {
  const { structuredContent } = await server.call('connect_account', { scopes: [...scopes] });
  const page = await fetch(await household.agree(begun.parse(structuredContent).url, account));
  if (!page.ok) throw new Error(`The sign-in ended with ${page.status}.`);
}

/** Lets a server's clock run so many times as fast: at ten, a call has 4.5 s, and waits 4 s for news. */
export const hurried = (times = 10): Record<string, string> => ({
  NODE_OPTIONS: `--import=${pathToFileURL(path.join(import.meta.dirname, 'hurry.mjs')).href}`,
  ARTWORK_TEST_HASTE: String(times),
});

/** A server whose account has signed in. */
export async function startConnected(
  household: Household,
  env: Record<string, string>,
  as?: { readonly scopes?: readonly string[]; readonly account?: number },
): Promise<StartedServer> {
  const server = await startServer(env);
  await signInThrough(server, household, as);
  return server;
}
