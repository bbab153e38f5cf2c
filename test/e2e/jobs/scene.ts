import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { type Household, startFailingHousehold } from '../../support/account.ts';
import { type StartedServer, startServer } from '../../support/client.ts';
import { registered, signInThrough } from '../../support/connected.ts';
import { findShow, type FoundShow } from '../../support/plans.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { marked, writePoster } from '../../support/unique-pictures.ts';
import type { Place } from './mistake.ts';
import { type Counting, counting, type Tally } from './tally.ts';

const destinations = z.object({
  data: z.array(
    z.looseObject({ id: z.int(), target: z.looseObject({ kind: z.string(), id: z.int() }).nullable() }),
  ),
});
const ownedSet = z.looseObject({
  updatedAt: z.string(),
  data: z.looseObject({
    assets: z.array(
      z.looseObject({
        id: z.string(),
        slot: z.string(),
        updatedAt: z.string(),
        target: z.looseObject({ kind: z.string(), id: z.int() }),
      }),
    ),
  }),
});
const revised = z.looseObject({ updatedAt: z.string() });
const madeBy = z.object({ data: z.looseObject({ createdBy: z.string().nullable() }) });
const changes = z.object({
  data: z.array(
    z.looseObject({
      assetId: z.string().optional(),
      setId: z.int().optional(),
      kind: z.string().optional(),
      target: z.looseObject({ kind: z.string(), id: z.int() }).optional(),
    }),
  ),
});

export interface OwnAsset {
  readonly id: string;
  readonly slot: string;
  readonly updatedAt: string;
  readonly target: { readonly kind: string; readonly id: number };
}

/** A catalogue, a new user's servers, and what is there to make mistakes with. */
export interface Scene {
  readonly hosts: Readonly<Record<Place, Counting>>;
  /** The folder that files may be read from. */
  readonly folder: string;
  /** The folder that downloads go below. */
  readonly downloads: string;
  readonly show: FoundShow;
  /** A media Set of a film, of the account's own, and another one's of the same film. */
  readonly movieSet: { readonly id: number; readonly movieId: number };
  readonly foreignSetId: number;
  readonly foreignAssetId: string;
  readonly groupId: number;
  readonly gameSetId: number;
  readonly personId: number;
  readonly categoryId: number;
  readonly files: {
    readonly text: string;
    readonly square: string;
    readonly missing: string;
    readonly outside: string;
  };
  /** A picture that is nowhere else, 200 × 300. */
  poster(): Promise<string>;
  revisionOf(type: 'asset' | 'set' | 'group', id: unknown): Promise<string>;
  /** The artwork of the film's Set, as it is now. */
  movieAssets(): Promise<readonly OwnAsset[]>;
  /** Its poster. */
  moviePoster(): Promise<OwnAsset>;
  /** The methods of all requests that the catalogue has seen. */
  methods(): Promise<ReadonlySet<string>>;
  end(): Promise<void>;
}

export async function startScene(tally: Tally): Promise<Scene> {
  const [household, pictures, elsewhere, downloads] = await Promise.all([
    startFailingHousehold(),
    temporaryFolder(),
    temporaryFolder(),
    temporaryFolder(),
  ]);
  const env = {
    ...(await registered(household)),
    ARTWORK_UPLOAD_ROOTS: pictures.path,
    ARTWORK_DOWNLOAD_ROOT: downloads.path,
  };
  const { ARTWORK_UPLOAD_ROOTS: _, ...rootless } = env;
  const servers = await startAll(household, {
    connected: env,
    unconnected: { ...env, ARTWORK_USER: 'nobody yet' },
    narrow: { ...env, ARTWORK_USER: 'narrow' },
    readOnly: { ...env, ARTWORK_READ_ONLY: '1' },
    rootless,
  });
  const hosts = {
    connected: counting(servers.connected, tally),
    unconnected: counting(servers.unconnected, tally),
    narrow: counting(servers.narrow, tally),
    readOnly: counting(servers.readOnly, tally),
    rootless: counting(servers.rootless, tally),
  };
  const { answer } = hosts.connected;
  const files = {
    text: path.join(pictures.path, 'text.jpg'),
    square: path.join(pictures.path, 'square.png'),
    missing: path.join(pictures.path, 'gone.png'),
    outside: await writePoster(elsewhere.path),
  };
  await writeFile(files.text, 'this is no picture');
  await marked({ width: 600, height: 600, background: '#803060' }).png().toFile(files.square);

  const own = async (kind: string, family?: 'game') => {
    const args = family === undefined ? { kind } : { kind, family };
    return destinations.parse(await answer('find_upload_destinations', args)).data;
  };
  const movieAssetsOf = async (id: number): Promise<readonly OwnAsset[]> =>
    ownedSet.parse(await answer('get_owned', { type: 'set', id, limit: 200 })).data.assets;
  const hasPoster = async (id: number) => (await movieAssetsOf(id)).some(({ slot }) => slot === 'poster');
  const feed = async (args: Record<string, unknown>) =>
    changes.parse(await answer('read_feed', { ...args, limit: 200 })).data;
  const someTarget = async (targetKind: string) =>
    required((await feed({ feed: 'assets', targetKind })).find(({ target }) => target !== undefined)?.target)
      .id;

  const found = await findFilm();
  const group = required((await own('boxset'))[0]);
  const gameSet = required((await own('media_set', 'game'))[0]);
  const foreignAssetId = await findForeignAsset();

  async function findFilm() {
    for (const { id, target } of await own('media_set')) {
      if (target?.kind === 'movie' && (await hasPoster(id))) return { id, movieId: target.id };
    }
    throw new Error('The account has no Set of a film with a poster.');
  }

  async function findForeignSet(): Promise<number> {
    for (const { setId } of await feed({ feed: 'sets', kind: 'movie_set' })) {
      const { createdBy } = madeBy.parse(await answer('get_set', { kind: 'movie_set', id: setId })).data;
      if (setId !== undefined && createdBy !== null && createdBy !== 'lanternroom') return setId;
    }
    throw new Error('Nobody else has a Set of a film.');
  }

  async function findForeignAsset(): Promise<string> {
    for (const { assetId } of await feed({ feed: 'assets', targetKind: 'movie' })) {
      const owned = await servers.connected.call('get_owned', { type: 'asset', id: assetId });
      if (assetId !== undefined && owned.isError === true) return assetId;
    }
    throw new Error('Nobody else has an Asset.');
  }

  const scene: Scene = {
    hosts,
    folder: pictures.path,
    downloads: downloads.path,
    show: await findShow(servers.connected, 'Sherlock'),
    movieSet: found,
    foreignSetId: await findForeignSet(),
    foreignAssetId,
    groupId: group.id,
    gameSetId: gameSet.id,
    personId: await someTarget('person'),
    categoryId: await someTarget('category'),
    files,
    poster: () => writePoster(pictures.path),
    revisionOf: async (type, id) => revised.parse(await answer('get_owned', { type, id })).updatedAt,
    movieAssets: () => movieAssetsOf(found.id),
    moviePoster: async () => required((await movieAssetsOf(found.id)).find(({ slot }) => slot === 'poster')),
    methods: async () => new Set((await household.control.requests()).map(({ method }) => method)),
    async end() {
      await Promise.all(Object.values(servers).map((server) => server.stop()));
      await household.remove();
      await pictures.remove();
      await elsewhere.remove();
      await downloads.remove();
    },
  };
  return scene;
}

/** A server for each place; one signs in for all, and the narrow one by itself. */
async function startAll(
  household: Household,
  env: Readonly<Record<Place, Record<string, string>>>,
): Promise<Record<Place, StartedServer>> {
  const [connected, unconnected, narrow, readOnly, rootless] = await Promise.all([
    startServer(env.connected),
    startServer(env.unconnected),
    startServer(env.narrow),
    startServer(env.readOnly),
    startServer(env.rootless),
  ]);
  await signInThrough(connected, household);
  await signInThrough(narrow, household, { scopes: ['openid', 'offline_access', 'sets:write'] });
  return { connected, unconnected, narrow, readOnly, rootless };
}

/** The two guards of a change that rests on nothing. */
export const fresh = () => ({ clientMutationId: randomUUID(), expectedUpdatedAt: 'none' });

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('The catalogue lacks what the test needs.');
  return value;
}
