import { createHash, randomInt, randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { expect } from 'vitest';
import { createFaults } from '../../src/sandbox/faults.ts';
import { openFolder } from '../../src/sandbox/process/folder.ts';
import { type ServerOptions, serveCatalogue } from '../../src/sandbox/server.ts';
import { controlOf } from '../support/catalogue-control.ts';
import { fillFolder } from '../support/filled.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { connect } from './oauth-app.ts';
import type { Row } from './scenarios.ts';
import { requireShape } from './shapes.ts';

const everyScope = 'assets:write assets:replace sets:write groups:write relationships:write'.split(' ');

/** Works that every embedded catalogue holds: films of a collection, a show with a season and its episode. */
export const ids = {
  ...{ collection: 2904, movie: 50279, otherMovie: 42620, game: 4867, show: 6623, season: 15586 },
  ...{ episode: 7711140, person: 51147, category: 120, network: 990, company: 7915 },
};

/** A small picture of one colour, which is another one each time; with more than one frame an animated WebP. */
export async function picture(width = 200, height = 300, frames = 1): Promise<Buffer> {
  const stills = Array.from({ length: frames }, (_, frame) => {
    // Dark and bright in turn: encoders make one frame of two that look alike.
    const [r, g, b] = [0, 1, 2].map(() => randomInt(100) + (frame % 2) * 150);
    return sharp({ create: { width, height, channels: 3, background: { r, g, b } } })
      .png()
      .toBuffer();
  });
  const [first = Buffer.of(), ...more] = await Promise.all(stills);
  if (more.length === 0) return first;
  return sharp([first, ...more], { join: { animated: true } })
    .webp()
    .toBuffer();
}

export type Catalogue = Awaited<ReturnType<typeof startCatalogue>>;

/** An embedded catalogue in this process, below a path prefix, with a clock that the test moves. */
export async function startCatalogue(options: Partial<ServerOptions> = {}) {
  const temporary = await temporaryFolder();
  const dataDir = temporary.path;
  await fillFolder(dataDir);
  let ahead = 0;
  const { baseUrl, close } = await serveCatalogue({
    ...{ dataDir, folder: await openFolder(dataDir), port: 0, basePath: '/catalogue/v1' },
    ...{ faults: createFaults(), now: () => new Date(Date.now() + ahead), ...options },
  });
  const control = controlOf(baseUrl);
  const tokens = new Map<string, Promise<string>>();
  /** An access token of the numbered account, which signs in once for each choice of scopes. */
  const token = (account: string, scopes: readonly string[] = everyScope): Promise<string> => {
    const scope = scopes.join(' ');
    const key = `${account} ${scope}`;
    const signIn = () => connect({ baseUrl }, { scope, account: Number(account) });
    const made = tokens.get(key) ?? signIn().then((one) => one.accessToken);
    tokens.set(key, made);
    return made;
  };

  /** Whatever comes back has its documented shape; protected answers must never be stored. */
  const send = async (request: string, body?: unknown, headers: Record<string, string> = {}) => {
    const [method = '', path = ''] = request.split(' ');
    const isFile = body instanceof Uint8Array;
    const { 'transfer-encoding': isUnsized, ...others } = headers;
    const sent = isFile ? new Blob([new Uint8Array(body)]) : JSON.stringify(body ?? {});
    const answer = await fetch(baseUrl + path, {
      ...{ method, headers: { ...(isFile ? {} : { 'content-type': 'application/json' }), ...others } },
      ...(method === 'GET' ? {} : { body: isUnsized ? new Response(sent).body : sent, duplex: 'half' }),
    });
    const { status } = answer;
    const got = Object(await answer.json());
    if (path.startsWith('/me/'))
      expect(answer.headers.get('cache-control'), request).toBe('private, no-store');
    else expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    requireShape(request, status, got);
    const is = [status, got.error?.code ?? []].flat().join(' ');
    const asks = status === 401 || is === '403 insufficient_scope';
    expect(answer.headers.has('www-authenticate'), request).toBe(asks);
    return { status, is, body: got, data: got.submission ?? got.data ?? got };
  };
  const bearer = async (account: string, scopes?: readonly string[]) => ({
    authorization: `Bearer ${await token(account, scopes)}`,
  });

  /** Posts a picture with the documented headers; its query has an identity and an operation, if it names none. */
  const sendFile = async ({ path, body, account, scopes }: Row) => {
    const [bytes, changes] = Array.isArray(body) ? body : [body];
    const url = new URL(path, 'http://x');
    const isItem = url.searchParams.has('itemId');
    for (const [name, value] of Object.entries({ operation: 'add', clientMutationId: randomUUID() })) {
      if (!isItem && !url.searchParams.has(name)) url.searchParams.set(name, value);
    }
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return send(`POST ${url.pathname}${url.search}`, bytes, {
      ...(await bearer(account, scopes?.split(','))),
      ...{ 'content-type': 'image/png', 'x-upload-filename': 'a.png' },
      ...{ ...(isItem ? {} : { 'x-upload-sha256': sha256 }), ...changes },
    });
  };

  /** Which scopes an operation needs: all that it is refused without, or else each with which alone it is done. */
  const neededScopes = async (request: string) => {
    expect((await send(request)).status).toBe(401);
    const isDone = async (scopes: readonly string[]) => {
      const { is, status } = await send(request, {}, await bearer('0', scopes));
      const isRefused = is === '403 insufficient_scope';
      expect(isRefused || ![401, 403].includes(status), `${request}: ${is}`).toBe(true);
      return !isRefused;
    };
    const which = async (scopesFor: (scope: string) => readonly string[], is: boolean) => {
      const done = await Promise.all(everyScope.map((scope) => isDone(scopesFor(scope))));
      return everyScope.filter((_, at) => done[at] === is);
    };
    const all = await which((scope) => everyScope.filter((one) => one !== scope), false);
    if (all.length > 0 && !(await isDone(all)))
      throw new Error(`${request}: ${all.join(' ')} is not enough.`);
    return all.length > 0 ? all.join('+') : (await which((scope) => [scope], true)).join('/');
  };

  return {
    ...{ baseUrl, control, token, send },
    /** Sends what a row of a scenario says. */
    async perform(row: Row): Promise<{ readonly is: string; readonly data?: unknown }> {
      const { verb, path, body, account, scopes } = row;
      switch (verb) {
        // Access tokens don't heed it.
        case 'PASS':
          ahead += Number(path) * 1_000;
          return { is: '' };
        case 'FILE':
          return sendFile(row);
        case 'BYTES': {
          const answer = await fetch(new URL(path, baseUrl));
          return { is: String(answer.status), data: Buffer.from(await answer.arrayBuffer()) };
        }
        case 'FAULT':
          await control.fail({ method: 'POST', path, do: 'process', ...Object(body) });
          return { is: '200' };
        case 'EFFECTS': {
          const own = (await control.effects()).filter((one) => one.clientMutationId === path);
          return { is: String(own.filter((one) => body === undefined || body === one.operation).length) };
        }
        case 'HEADERS':
          return send('GET /me/relationships', null, Object(body));
        case 'SCOPES': {
          const needed = await Promise.all([body].flat().map((one) => neededScopes(String(one))));
          return { is: [...new Set(needed)].join(' and ') };
        }
        default: {
          const isProtected = path.startsWith('/me/');
          return send(`${verb} ${path}`, body, isProtected ? await bearer(account, scopes?.split(',')) : {});
        }
      }
    },
    async stop() {
      await close();
      await temporary.remove();
    },
  };
}
