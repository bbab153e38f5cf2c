import { z } from 'zod';
import { type StartedServer, startServer } from '../../support/client.ts';
import { freePort } from '../../support/free-port.ts';
import { secrets, type WholeService } from './whole-service.ts';

const waiting = z.looseObject({ url: z.string() });

/** What a person's browser does, for the account that the service's script names. */
export async function signInTo(service: WholeService, server: StartedServer): Promise<void> {
  const { url } = waiting.parse((await server.call('connect_account')).structuredContent);
  const asked = new URL(url).searchParams;
  service.script.nonce = asked.get('nonce') ?? '';
  const callback = new URL(asked.get('redirect_uri') ?? '');
  callback.search = new URLSearchParams({
    code: secrets[2],
    state: asked.get('state') ?? '',
    iss: `${service.baseUrl}/api/auth`,
  }).toString();
  const page = await fetch(callback);
  if (!page.ok) throw new Error(`The sign-in ended with ${page.status}.`);
}

/** A server for this service, with a person signed in. */
export async function startSignedIn(
  service: WholeService,
  settings: Readonly<Record<string, string>> = {},
): Promise<StartedServer> {
  const server = await startServer({
    ARTWORK_BASE_URL: service.baseUrl,
    ARTWORK_CLIENT_ID: 'app',
    ARTWORK_REDIRECT_URI: `http://127.0.0.1:${await freePort()}/callback`,
    ARTWORK_INDEX: 'off',
    ...settings,
  });
  await signInTo(service, server);
  return server;
}
