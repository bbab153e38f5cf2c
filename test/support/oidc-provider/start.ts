import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

export interface OidcServerOptions {
  /** How long an access token lives. Default: ten minutes. */
  readonly accessSeconds?: number;
  /** How far the server's clock is ahead of this machine's. Default: not at all. */
  readonly aheadMs?: number;
}

/** What a person does on the pages. */
export interface Decision {
  /** What they leave of the scopes that were asked for; left out: all. */
  readonly leaves?: readonly string[];
  readonly declines?: boolean;
}

/** A browser in which a person is signed in, or will be. */
export interface Browser {
  /** Answers the callback URL without going there. */
  approve(authorizationUrl: string, decision?: Decision): Promise<URL>;
}

const kinds = z.array(z.enum(['authorization_code', 'refresh_token', 'revoke']));

/** The server of oidc-provider, in a process of its own, until `stop`. */
export async function startOidcProvider(redirectUri: string, options: OidcServerOptions = {}) {
  const program = fileURLToPath(new URL('server.mjs', import.meta.url));
  const { accessSeconds = 600, aheadMs = 0 } = options;
  const args = [program, redirectUri, String(accessSeconds), String(aheadMs)];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const [origin]: string[] = await once(createInterface({ input: child.stdout }), 'line');
  if (origin === undefined) throw new Error('The server named no address.');
  const control = async (name: string, body: unknown = {}): Promise<unknown> => {
    const response = await fetch(`${origin}/control/${name}`, { method: 'POST', body: JSON.stringify(body) });
    return response.json();
  };

  return {
    baseUrl: origin,
    authUrl: origin,
    browser(person: string): Browser {
      const cookies = new Map<string, string>();
      return {
        async approve(authorizationUrl, { leaves, declines = false } = {}) {
          let url = new URL(authorizationUrl);
          for (let hops = 0; hops < 10; hops += 1) {
            const response = await fetch(url, {
              redirect: 'manual',
              headers: {
                'x-person': person,
                ...(leaves === undefined ? {} : { 'x-leaves': leaves.join(' ') }),
                ...(declines ? { 'x-declines': '1' } : {}),
                cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
              },
            });
            for (const line of response.headers.getSetCookie()) {
              const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
              if (value === '') cookies.delete(name);
              else cookies.set(name, value);
            }
            const location = response.headers.get('location');
            const said = await response.text();
            if (location === null) throw new Error(`${url.pathname} answered ${response.status}: ${said}`);
            url = new URL(location, url);
            if (url.origin !== origin) return url;
          }
          throw new Error('The pages redirect without end.');
        },
      };
    },
    /** The requests to the token and revocation endpoints so far, in their order. */
    async seen() {
      return kinds.parse(await control('seen'));
    },
    /** How many grants the server honours. */
    living: () => control('living'),
    /** The answer to the next request of this kind is lost, though all is done that it tells. */
    lose: (kind: z.infer<typeof kinds>[number]) => control('lose', { kind }),
    /** Ends every grant, as the account's Apps area does. */
    endGrants: () => control('endGrants'),
    async stop(): Promise<void> {
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
    },
  };
}

export type OidcServer = Awaited<ReturnType<typeof startOidcProvider>>;
