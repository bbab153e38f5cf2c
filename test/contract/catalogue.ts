import { createHash, randomInt, randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { expect } from 'vitest';
import { createGroup, createSet, type NewSet } from '../../src/sandbox/artwork.ts';
import { createFaults } from '../../src/sandbox/faults.ts';
import { fingerprint } from '../../src/sandbox/oauth/connection.ts';
import { openFolder } from '../../src/sandbox/process/folder.ts';
import { type ServerOptions, serveCatalogue } from '../../src/sandbox/server.ts';
import { openStore, type Store } from '../../src/sandbox/store.ts';
import { controlOf } from '../support/catalogue-control.ts';
import { fillFolder } from '../support/filled.ts';
import { temporaryFolder } from '../support/temporary.ts';

export const everyScope: readonly string[] = [
  'assets:write',
  'assets:replace',
  'sets:write',
  'groups:write',
  'relationships:write',
];

/** What a small catalogue holds at first. All Sets and groups are account 1's, but for the foreign ones. */
export const ids = {
  ...{ movie: 1, otherMovie: 2, collection: 3, show: 4, season: 5, episode: 6, otherEpisode: 7, game: 8 },
  ...{ person: 9, category: 10, network: 11, company: 12, edition: 1 },
  ...{ movieSet: 20, showSet: 21, collectionSet: 22, gameSet: 23, foreignSet: 24 },
  ...{ boxset: 30, loadout: 31, foreignBoxset: 32 },
};

function plant(store: Store): void {
  const at = '2026-01-02T03:04:05.678Z';
  for (const id of [1, 2, 3]) store.insert('accounts', { id, name: `Artist ${id}`, created_at: at });
  store.insert('editions', { id: ids.edition, name: 'Director’s Cut' });
  const work = (kind: string, id: number, parentId: number | null = null, number: number | null = null) =>
    store.insert('entities', { kind, id, title: `The ${kind} ${id}`, parentId, number });
  work('collection', ids.collection);
  for (const id of [ids.movie, ids.otherMovie]) work('movie', id, ids.collection);
  work('show', ids.show);
  work('season', ids.season, ids.show, 1);
  work('episode', ids.episode, ids.season, 1);
  work('episode', ids.otherEpisode, ids.season, 2);
  for (const kind of ['game', 'person', 'category', 'network', 'company'] as const) work(kind, ids[kind]);
  const made = { languageCode: 'en', description: null, createdAt: at, publicFrom: at };
  const set = (id: number, kind: NewSet['kind'], targetKind: string, targetId: number, ownerId = 1) =>
    createSet(store, {
      ...{ id, kind, target: { kind: targetKind, id: targetId }, members: [], ownerId, ...made },
      ...{ title: `The ${kind} ${id}`, editionId: null, finalised: false },
    });
  set(ids.movieSet, 'movie_set', 'movie', ids.movie);
  set(ids.showSet, 'show_set', 'show', ids.show);
  set(ids.collectionSet, 'collection_set', 'collection', ids.collection);
  set(ids.gameSet, 'game_set', 'game', ids.game);
  set(ids.foreignSet, 'movie_set', 'movie', ids.movie, 2);
  const group = (id: number, kind: 'boxset' | 'loadout', setIds: number[], ownerId = 1) =>
    createGroup(store, { id, kind, title: `The ${kind} ${id}`, setIds, ownerId, ...made });
  group(ids.boxset, 'boxset', []);
  group(ids.loadout, 'loadout', [ids.gameSet]);
  group(ids.foreignBoxset, 'boxset', [], 2);
}

/** A picture of one colour, which is another one each time; more than one frame makes it an animated WebP. */
export async function picture(width = 200, height = 300, frames = 1): Promise<Buffer> {
  // Dark and bright in turn: encoders make one frame of two that look alike.
  const still = (frame: number) => {
    const [r, g, b] = [0, 1, 2].map(() => randomInt(100) + (frame % 2) * 150);
    return sharp({ create: { width, height, channels: 3, background: { r, g, b } } }).png();
  };
  if (frames === 1) return still(0).toBuffer();
  const stills = await Promise.all(Array.from({ length: frames }, (_, frame) => still(frame).toBuffer()));
  return sharp(stills, { join: { animated: true } })
    .webp()
    .toBuffer();
}

interface Sent {
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string | null>>;
}

const withoutNulls = (record: Readonly<Record<string, string | number | null>>) =>
  Object.fromEntries(
    Object.entries(record).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]])),
  );

export type Catalogue = Awaited<ReturnType<typeof startCatalogue>>;
export type Answer = Awaited<ReturnType<Catalogue['ask']>>;

/**
 * An embedded catalogue in this process, below a path prefix, with a clock that the test moves and accounts whose apps
 * hold access tokens.
 * @param holds - `small`: what `ids` names; `all`: what a newcomer's holds
 */
export async function startCatalogue(holds: 'small' | 'all', options: Partial<ServerOptions> = {}) {
  const temporary = await temporaryFolder();
  const dataDir = temporary.path;
  const folder = await openFolder(dataDir);
  if (holds === 'small') openStore(dataDir, plant).close();
  else await fillFolder(dataDir);
  let ahead = 0;
  const server = await serveCatalogue({
    ...{ dataDir, folder, port: 0, basePath: '/catalogue/v1', faults: createFaults(), ...options },
    now: () => new Date(Date.now() + ahead),
  });
  const { store, baseUrl } = server;
  const control = controlOf(baseUrl);

  /** As a sign-in would have given it, without one: that takes far longer than most tests. */
  const token = (accountId = 1, scopes = everyScope, aud = `${baseUrl}/me`, lifetimeSeconds = 3_600) => {
    const [given, grantId] = [randomUUID(), randomUUID()];
    const payload = JSON.stringify({ iat: 0, exp: 0, aud, scope: scopes.join(' ') });
    const made = { accountId, clientId: 'test', payload };
    store.insert('oauth_records', { model: 'Grant', id: grantId, ...made });
    const expiresAt = Math.floor(Date.now() / 1000) + lifetimeSeconds;
    store.insert('oauth_records', {
      ...{ model: 'AccessToken', id: fingerprint(given), grantId, expiresAt, ...made },
    });
    return given;
  };
  const own = token();

  const ask = async (method: string, path: string, body?: unknown, sent: Sent = {}) => {
    const { token = own, headers = {} } = sent;
    const isFile = body instanceof Uint8Array;
    const sentHeaders = {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined || isFile ? {} : { 'content-type': 'application/json' }),
      ...headers,
    };
    const answer = await fetch(baseUrl + path, {
      ...{ method, headers: withoutNulls(sentHeaders) },
      ...(body === undefined ? {} : { body: isFile ? new Uint8Array(body) : JSON.stringify(body) }),
    });
    const written = await answer.text();
    const given: unknown = written === '' ? null : JSON.parse(written);
    /** A text at a path in the body, such as `data.assetId`. */
    const text = (path: string): string => {
      const value = path.split('.').reduce<unknown>((part, name) => Reflect.get(Object(part), name), given);
      if (typeof value === 'string') return value;
      throw new Error(`There is no text at ${path} (${answer.status}): ${JSON.stringify(given)}`);
    };
    return { status: answer.status, headers: answer.headers, body: given, text };
  };
  const get = (path: string, sent: Sent = {}) => ask('GET', path, undefined, sent);
  const post = (path: string, body: unknown, sent: Sent = {}) => ask('POST', path, body, sent);
  /** Sends a file as the interface document says, but for what `sent` changes. */
  const upload = (path: string, query: Record<string, string | number>, bytes: Buffer, sent: Sent = {}) => {
    const facts = { operation: 'add', clientMutationId: randomUUID(), ...query };
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const headers = { 'content-type': 'image/png', 'x-upload-filename': 'a.png', 'x-upload-sha256': sha256 };
    return post(`${path}?${new URLSearchParams(withoutNulls(facts))}`, bytes, {
      ...{ ...sent, headers: { ...headers, ...sent.headers } },
    });
  };
  return {
    ...{ baseUrl, store, control, token, ask, get, post, upload },
    /** Adds a new poster to the movie, or what `query` says; answers its id and its revision. */
    async asset(query: Record<string, string | number> = {}, path = '/me/assets', sent: Sent = {}) {
      const place = { slot: 'poster', targetKind: 'movie', targetId: ids.movie };
      const answer = await upload(path, { ...place, ...query }, await picture(), sent);
      expect(answer.status).toBe(201);
      return { id: answer.text('data.assetId'), updatedAt: answer.text('data.updatedAt') };
    },
    /** The `data` of a protected read. */
    owned: async (path: string) => Object((await get(path)).body).data,
    revision: async (path: string) => (await get(path)).text('data.updatedAt'),
    /** The `data` of a public read, or the status where it has none. */
    async shown(path: string) {
      const { body, status } = await get(path, { token: null });
      return Object(body).data ?? status;
    },
    /** What was really changed under an identity. */
    effects: async (clientMutationId: string) =>
      (await control.effects())
        .filter((one) => one.clientMutationId === clientMutationId)
        .map((one) => one.operation),
    /** Moves the catalogue's clock ahead; access tokens don't heed it. */
    pass(milliseconds: number) {
      ahead += milliseconds;
    },
    async stop() {
      await server.close();
      await temporary.remove();
    },
  };
}

/** The protected error body with this code. */
export function refused(status: number, code: string) {
  const details = { details: expect.any(Object), issues: expect.any(Array) };
  return { status, body: { error: { code, message: expect.any(String), ...details } } };
}
