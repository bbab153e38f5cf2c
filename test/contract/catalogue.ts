import { createHash, randomInt, randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { expect } from 'vitest';
import type { z } from 'zod';
import { createFaults } from '../../src/sandbox/faults.ts';
import { openFolder } from '../../src/sandbox/process/folder.ts';
import { type ServerOptions, serveCatalogue } from '../../src/sandbox/server.ts';
import { controlOf } from '../support/catalogue-control.ts';
import { fillFolder } from '../support/filled.ts';
import { connect } from '../support/oauth-app.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { answers, errors } from './shapes.ts';

export const everyScope = 'assets:write assets:replace sets:write groups:write relationships:write';

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

/**
 * What is sent, what it is answered, and what the answer has. A request is `METHOD /path`, after it ` BY ` and the
 * number of an account with its scopes, and before it a name for its answer and ` = `. `FILE` posts a picture with
 * the documented headers. `{name.member}` stands for what an earlier answer has, and `{uuid…}` for an id of its own.
 */
export type Row = readonly [request: string, body: unknown, is: string, has?: object];

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
  const tokens = new Map<string, Promise<string>>();
  /** An access token of the numbered account, which signs in once for each choice of scopes. */
  const token = (account: string | number = 0, scope = everyScope): Promise<string> => {
    const key = `${account} ${scope}`;
    const connected = { scope, account: Number(account) };
    const made = tokens.get(key) ?? connect({ baseUrl }, connected).then((one) => one.accessToken);
    tokens.set(key, made);
    return made;
  };

  /** Whatever comes back has a documented shape; protected answers must never be stored. */
  const send = async (request: string, body?: unknown, headers: Record<string, string> = {}) => {
    const [method = '', path = ''] = request.split(' ');
    const isFile = body instanceof Uint8Array;
    const answer = await fetch(baseUrl + path, {
      ...{ method, headers: { ...(isFile ? {} : { 'content-type': 'application/json' }), ...headers } },
      ...(method === 'GET' ? {} : { body: isFile ? new Uint8Array(body) : JSON.stringify(body ?? {}) }),
    });
    const { status } = answer;
    const got = Object(await answer.json());
    const isProtected = path.startsWith('/me/');
    if (isProtected) expect(answer.headers.get('cache-control'), request).toBe('private, no-store');
    else expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const success = isProtected ? answers.find(([pattern]) => pattern.test(request))?.[1] : undefined;
    const shape = status < 400 ? success : isProtected ? errors.protected : errors.public;
    parse(request, shape, got);
    const is = [status, got.error?.code ?? []].flat().join(' ');
    return { status, is, body: got, data: got.submission ?? got.data, headers: answer.headers };
  };
  const own = async (request: string, body?: unknown, account?: string, scopes?: string) =>
    send(request, body, { authorization: `Bearer ${await token(account, scopes)}` });

  /** Posts a picture; its query has an identity and an operation, if it names none. */
  const file = async (path: string, sent: unknown, account?: string, scopes?: string) => {
    const [bytes, changes = {}] = Array.isArray(sent) ? sent : [sent];
    const url = new URL(path, 'http://x');
    const isItem = url.searchParams.has('itemId');
    const asked = { operation: 'add', clientMutationId: randomUUID() };
    for (const [name, value] of Object.entries(isItem ? {} : asked)) {
      if (!url.searchParams.has(name)) url.searchParams.set(name, value);
    }
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return send(`POST ${url.pathname}${url.search}`, bytes, {
      ...{ authorization: `Bearer ${await token(account, scopes)}`, 'content-type': 'image/png' },
      ...{ 'x-upload-filename': 'a.png', ...(isItem ? {} : { 'x-upload-sha256': sha256 }), ...changes },
    });
  };

  return {
    ...{ baseUrl, control: controlOf(baseUrl), token, send, own },
    /** Sends the rows one after the other. */
    async run(rows: readonly Row[], known: Readonly<Record<string, unknown>> = {}) {
      const names: Record<string, unknown> = { ...ids, ...known };
      const at = (name: string): unknown => {
        if (name.startsWith('uuid')) names[name] ??= randomUUID();
        const value = name.split('.').reduce<unknown>((part, member) => Object(part)[member], names);
        if (value === undefined) throw new Error(`Nothing is called ${name}.`);
        return value;
      };
      const fill = (value: unknown): unknown => {
        if (typeof value === 'string') {
          const whole = /^\{([\w.]+)\}$/.exec(value)?.[1];
          return whole ? at(whole) : value.replace(/\{([\w.]+)\}/g, (_, name) => String(at(name)));
        }
        if (Array.isArray(value)) return value.map(fill);
        if (value?.constructor !== Object) return value;
        return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fill(member)]));
      };
      for (const [line, body, is, has = {}] of rows) {
        const [, name, request, account, scopes] =
          /^(?:(\w+) = )?(.*?)(?: BY (\d) ?(.+)?)?$/.exec(line) ?? [];
        const [method, path = ''] = String(fill(request)).split(' ');
        if (method === 'PASS') {
          ahead += Number(path);
          continue;
        }
        const answer = await (method === 'FILE'
          ? file(path, fill(body), account, scopes)
          : path.startsWith('/me/')
            ? own(`${method} ${path}`, fill(body), account, scopes)
            : send(`${method} ${path}`));
        expect(answer.is, line).toEqual(is);
        expect(answer.data ?? answer.body, line).toMatchObject(Object(fill(has)));
        if (name !== undefined) names[name] = answer.data;
      }
      return names;
    },
    /** What was really changed under an identity. */
    effects: async (id: unknown) =>
      (await controlOf(baseUrl).effects()).flatMap((one) =>
        one.clientMutationId === id ? one.operation : [],
      ),
    /** Moves the catalogue's clock ahead; access tokens don't heed it. */
    pass(milliseconds: number) {
      ahead += milliseconds;
    },
    async stop() {
      await close();
      await temporary.remove();
    },
  };
}

export function parse(what: string, shape: z.ZodType | undefined, value: unknown): void {
  const error = shape?.safeParse(value).error;
  if (error) throw new Error(`${what}: ${error.message}\n${JSON.stringify(value).slice(0, 2_000)}`);
}
