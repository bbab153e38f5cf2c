import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const redirection = z.object({ url: z.string() });
const seen = z.array(z.object({ kind: z.string(), agent: z.string(), status: z.number() }));
type Seen = z.infer<typeof seen>[number];

/** A person with an account on the server, and a browser that is signed in. */
export interface Person {
  /** Approves a sign-in. @param scopes what they leave of those that were asked for; left out: all */
  approve(authorizationUrl: string, scopes?: readonly string[]): Promise<URL>;
}

/** The server of better-auth, in a process of its own, until `stop`. */
export async function startBetterAuth(redirectUri: string) {
  const program = fileURLToPath(new URL('server.mjs', import.meta.url));
  const child = spawn(process.execPath, [program, redirectUri], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const [origin]: string[] = await once(lines, 'line');
  if (origin === undefined) throw new Error('The server named no address.');

  const json = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin, ...headers },
      body: JSON.stringify(body),
    });
  const control = async (name: string, body: unknown = {}): Promise<unknown> => {
    const response = await json(`/control/${name}`, body);
    return response.json();
  };

  return {
    baseUrl: origin,
    authUrl: origin,
    async person(name: string): Promise<Person> {
      const email = `${name}@example.test`;
      const account = await json('/api/auth/sign-up/email', { email, name, password: 'correct horse' });
      const cookie = account.headers
        .getSetCookie()
        .map((each) => each.split(';')[0])
        .join('; ');
      const where = async (response: Response): Promise<URL> => {
        return new URL(redirection.parse(await response.json()).url, origin);
      };
      return {
        async approve(authorizationUrl, scopes) {
          const asked = await where(
            await fetch(authorizationUrl, { headers: { cookie }, redirect: 'manual' }),
          );
          if (asked.pathname !== '/consent') return asked;
          const consent = {
            accept: true,
            oauth_query: asked.search.slice(1),
            ...(scopes === undefined ? {} : { scope: scopes.join(' ') }),
          };
          return where(await json('/api/auth/oauth2/consent', consent, { cookie }));
        },
      };
    },
    /** The requests to the token and revocation endpoints so far, in their order. */
    async seen(): Promise<readonly Seen[]> {
      return seen.parse(await control('seen'));
    },
    /** How many refresh tokens the server honours. */
    living: () => control('living'),
    /** Keeps the next answer of this kind back, though all is done that it tells. */
    async keep(kind: string) {
      await control('keep', { kind });
      return {
        async reached(): Promise<void> {
          while ((await control('isKept')) !== true) await new Promise((resolve) => setTimeout(resolve, 20));
        },
        release: () => control('release'),
      };
    },
    /** The answer to the next request of this kind is lost, though all is done that it tells. */
    lose: (kind: string) => control('lose', { kind }),
    /** Ends every refresh token, as the account's Apps area does. */
    revokeThere: () => control('revokeThere'),
    deleteUsers: () => control('deleteUsers'),
    async stop(): Promise<void> {
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
    },
  };
}

export type BetterAuth = Awaited<ReturnType<typeof startBetterAuth>>;
