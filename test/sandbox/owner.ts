import { createHash, randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { createGroup, createSet, type NewSet } from '../../src/sandbox/artwork.ts';
import { createFaults } from '../../src/sandbox/faults.ts';
import { fingerprint } from '../../src/sandbox/oauth/connection.ts';
import { openFolder } from '../../src/sandbox/process/folder.ts';
import { serveCatalogue } from '../../src/sandbox/server.ts';
import { openStore, type Store } from '../../src/sandbox/store.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { poster } from './me-pictures.ts';

export const everyScope = [
  'assets:write',
  'assets:replace',
  'sets:write',
  'groups:write',
  'relationships:write',
];

/** What the catalogue of these tests holds at first. All Sets and groups are account 1's, but for the foreign ones. */
export const ids = {
  ...{ movie: 1, otherMovie: 2, collection: 3, show: 4, season: 5, episode: 6, otherEpisode: 7, game: 8 },
  ...{ person: 9, category: 10, network: 11, company: 12, edition: 1 },
  ...{ movieSet: 20, showSet: 21, collectionSet: 22, gameSet: 23, foreignSet: 24 },
  ...{ boxset: 30, loadout: 31, foreignBoxset: 32 },
};

const before = '2026-01-02T03:04:05.678Z';

function plant(store: Store): void {
  for (const id of [1, 2, 3]) store.insert('accounts', { id, name: `Artist ${id}`, created_at: before });
  store.insert('editions', { id: ids.edition, name: 'Director’s Cut' });
  const work = (kind: string, id: number, parentId: number | null = null, number: number | null = null) =>
    store.insert('entities', { kind, id, title: `The ${kind} ${id}`, parent_id: parentId, number });
  work('collection', ids.collection);
  for (const id of [ids.movie, ids.otherMovie]) work('movie', id, ids.collection);
  work('show', ids.show);
  work('season', ids.season, ids.show, 1);
  work('episode', ids.episode, ids.season, 1);
  work('episode', ids.otherEpisode, ids.season, 2);
  for (const kind of ['game', 'person', 'category', 'network', 'company'] as const) work(kind, ids[kind]);
  const made = { languageCode: 'en', description: null, createdAt: before, publicFrom: before };
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

function withoutNulls(record: Readonly<Record<string, string | number | null>>): Record<string, string> {
  const given = Object.entries(record).filter(([, value]) => value !== null);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

export class Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;

  constructor(status: number, headers: Headers, body: unknown) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }

  /** A text at a path in the body, such as `data.assetId`. */
  text(path: string): string {
    const value = path.split('.').reduce<unknown>((part, name) => Reflect.get(Object(part), name), this.body);
    if (typeof value === 'string') return value;
    throw new Error(`There is no text at ${path} (${this.status}): ${JSON.stringify(this.body)}`);
  }
}

export interface Sent {
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body?: unknown;
}

interface OwnerOptions {
  readonly publicationLagMs?: number;
  /** Default: a new one. */
  readonly dataDir?: string;
}

/** The whole embedded catalogue in this process, with accounts whose apps hold access tokens. */
export async function startOwner({ dataDir: given, ...options }: OwnerOptions = {}) {
  const folder = await temporaryFolder();
  const dataDir = given ?? folder.path;
  const identity = await openFolder(dataDir);
  openStore(dataDir, plant).close();
  let ahead = 0;
  const faults = createFaults();
  const server = await serveCatalogue({
    ...{ dataDir, folder: identity, port: 0, basePath: '/catalogue/v1', faults, ...options },
    now: () => new Date(Date.now() + ahead),
  });
  const { store, baseUrl } = server;

  /** As a sign-in would have given it, without one: that takes far longer than most tests. */
  const token = (
    accountId = 1,
    scopes: readonly string[] = everyScope,
    aud = `${baseUrl}/me`,
    lifetimeSeconds = 3_600,
  ) => {
    const [given, grant] = [randomUUID(), randomUUID()];
    const made = { account_id: accountId, client_id: 'test' };
    const payload = JSON.stringify({ iat: 0, exp: 0, aud, scope: scopes.join(' ') });
    store.insert('oauth_records', { model: 'Grant', id: grant, payload, ...made });
    store.insert('oauth_records', {
      ...{ model: 'AccessToken', id: fingerprint(given), grant_id: grant, payload, ...made },
      expires_at: Math.floor(Date.now() / 1000) + lifetimeSeconds,
    });
    return given;
  };
  const own = token();

  const ask = async (method: string, path: string, { token = own, headers = {}, body }: Sent = {}) => {
    const written = {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined || body instanceof Uint8Array ? {} : { 'content-type': 'application/json' }),
      ...headers,
    };
    const answer = await fetch(baseUrl + path, {
      method,
      headers: withoutNulls(written),
      ...(body === undefined
        ? {}
        : { body: body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return new Answer(answer.status, answer.headers, text === '' ? null : JSON.parse(text));
  };
  const get = (path: string, sent: Sent = {}) => ask('GET', path, sent);
  const post = (path: string, body: unknown, sent: Sent = {}) => ask('POST', path, { body, ...sent });
  /** Sends a file as the interface document says, but for what `sent` changes. */
  const upload = (path: string, query: Record<string, string | number>, bytes: Buffer, sent: Sent = {}) => {
    const facts = { operation: 'add', clientMutationId: randomUUID(), ...query };
    return ask(
      'POST',
      `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(withoutNulls(facts))}`,
      {
        ...sent,
        body: bytes,
        headers: {
          'content-type': 'image/png',
          'x-upload-filename': 'picture.png',
          'x-upload-sha256': createHash('sha256').update(bytes).digest('hex'),
          ...sent.headers,
        },
      },
    );
  };
  return {
    ...{ server, store, baseUrl, dataDir, token, ask, get, post, upload },
    /** Adds a new poster to the movie, or what `query` says; answers its id and its revision. */
    async asset(query: Record<string, string | number> = {}, path = '/me/assets', sent: Sent = {}) {
      const place = { slot: 'poster', targetKind: 'movie', targetId: ids.movie };
      const answer = await upload(path, { ...place, ...query }, await poster(), sent);
      expect(answer.status).toBe(201);
      return { id: answer.text('data.assetId'), updatedAt: answer.text('data.updatedAt') };
    },
    revision: async (path: string) => (await get(path)).text('data.updatedAt'),
    /** What was really changed under an identity, or in all. */
    effects: (clientMutationId?: string) =>
      store
        .all('SELECT operation, client_mutation_id FROM effects ORDER BY sequence')
        .filter(
          (row) =>
            clientMutationId === undefined || row.textOrNull('client_mutation_id') === clientMutationId,
        )
        .map((row) => row.text('operation')),
    /** The `data` of a public read, or the status where it has none. */
    async shown(path: string): Promise<unknown> {
      const { body, status } = await get(path, { token: null });
      return Object(body).data ?? status;
    },
    keptFiles: () => readdir(path.join(dataDir, 'uploads')),
    fault: async (fault: object) => {
      const answer = await fetch(`${new URL(baseUrl).origin}/.sandbox/faults`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify([fault]),
      });
      expect(answer.status).toBe(200);
    },
    /** Moves the catalogue's clock ahead; access tokens don't heed it. */
    pass(milliseconds: number) {
      ahead += milliseconds;
    },
    async stop() {
      await server.close();
      await folder.remove();
    },
  };
}

export type Owner = Awaited<ReturnType<typeof startOwner>>;

/** For one test alone. */
export async function ownOwner(options: OwnerOptions = {}): Promise<Owner> {
  const owner = await startOwner(options);
  onTestFinished(owner.stop);
  return owner;
}

/** The protected error body with this code. */
export function refused(status: number, code: string, details: unknown = expect.any(Object)) {
  const error = { code, message: expect.any(String), details, issues: expect.any(Array) };
  return { status, body: { error } };
}
