import { z } from 'zod';
import type { Host } from '../../support/follower.ts';
import { secrets, type WholeService } from './whole-service.ts';

const waiting = z.looseObject({ url: z.string() });

/** What a person's browser does, for the account that the service's script names. */
export async function signInTo(service: WholeService, server: Host): Promise<void> {
  const { url } = waiting.parse((await server.call('connect_account', {})).structuredContent);
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
