import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { type ScriptedService, startScriptedService } from '../../support/scripted-service.ts';

/** What a handler is told of a request. */
interface Asked {
  /** What the pattern's groups hold. */
  readonly ids: readonly string[];
  readonly query: URLSearchParams;
  /** Its JSON or form; an empty record for any other body. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly origin: string;
}

export interface Route {
  readonly method: 'GET' | 'POST';
  readonly pattern: RegExp;
  answer(asked: Asked): unknown;
}

const now = '2026-01-01T00:00:00.000Z';
/** What every record of an owner is at. */
export const revision = now;
export const someAsset = '6f2d1c58-0a3e-4c1b-9d55-1f0e2a3b4c5d';
const snapshot = '0b7f3a52-6d1e-4f5a-8c3b-2e1d0c9b8a7f';

const images = { poster: null, backdrop: null, logo: null };
const asset = { id: someAsset, path: '/images/one.png', languageCode: 'en' };
const setHead = (id: number) => ({
  id,
  title: `Set ${id}`,
  description: 'Made by hand',
  createdBy: 'mira',
  dateCreated: now,
  dateUpdated: now,
  language: 'en',
});
const paths = (...slots: string[]) => Object.fromEntries(slots.map((slot) => [slot, '/images/one.png']));
const groups = (...names: string[]) => Object.fromEntries(names.map((name) => [name, [asset]]));
const reference = (kind: string) => ({ id: 5, kind, title: `A ${kind}` });

const entity = (path: string, kind: string, more: object): Route => ({
  method: 'GET',
  pattern: new RegExp(`^/${path}/(\\d+)$`),
  answer: ({ ids: [id] }) => ({ data: { id: Number(id), kind, title: `The ${kind} ${id}`, ...more } }),
});
const setRead = (path: string, more: object): Route => ({
  method: 'GET',
  pattern: new RegExp(`^/${path}/(\\d+)$`),
  answer: ({ ids: [id] }) => ({ data: { ...setHead(Number(id)), ...more } }),
});
const page = (path: string, pattern: RegExp, item: object, feed: boolean): Route => ({
  method: 'GET',
  pattern,
  answer: ({ ids: [number] }) => ({
    data: [item, item],
    meta: {
      ...(feed ? { snapshot } : {}),
      page: Number(number ?? 1),
      totalPages: 2,
      nextPage: number === undefined ? `${path}/pages/${snapshot}/2` : null,
    },
  }),
});
const owned = (path: string, more: object): Route => ({
  method: 'GET',
  pattern: new RegExp(`^/me/${path}/([^/]+)$`),
  answer: ({ ids: [id = ''] }) => ({
    data: { id: /^\d+$/.test(id) ? Number(id) : id, updatedAt: revision, title: 'Mine', ...more },
  }),
});
const uploaded = (path: string): Route => ({
  method: 'POST',
  pattern: new RegExp(`^/me/${path}$`),
  answer: ({ query }) => ({
    data: {
      clientMutationId: query.get('clientMutationId'),
      processingStatus: 'succeeded',
      publicationStatus: 'pending',
      assetId: someAsset,
      asset: { id: someAsset, updatedAt: revision },
    },
  }),
});
const changed = (path: string, what: string, id: unknown): Route => ({
  method: 'POST',
  pattern: new RegExp(`^/me/${path}$`),
  answer: ({ body: { clientMutationId } }) => ({
    data: { clientMutationId, [what]: { id, updatedAt: revision }, id, publicationStatus: 'not_required' },
  }),
});

interface Submission {
  readonly clientMutationId: unknown;
  readonly setId: number;
  readonly items: readonly string[];
  readonly arrived: Set<string>;
  completed: boolean;
}

const identified = z.object({ itemId: z.string() });

function submissionRoutes(): Record<string, Route> {
  const all = new Map<string, Submission>();
  const show = (id: string) => {
    const found = all.get(id);
    if (found === undefined) return { data: null, error: { code: 'not_found', message: 'No such thing.' } };
    const { clientMutationId, setId, items, arrived, completed } = found;
    const status = (itemId: string) =>
      completed ? 'succeeded' : arrived.has(itemId) ? 'processing' : 'declared';
    return {
      data: {
        submission: { submissionId: id, clientMutationId, setId },
        ...(completed ? { outcome: 'succeeded', set: { id: setId, updatedAt: revision } } : {}),
        publicationStatus: completed ? 'pending' : 'not_required',
        error: null,
        items: items.map((itemId) => ({
          itemId,
          status: status(itemId),
          assetId: completed ? someAsset : null,
        })),
      },
    };
  };
  const of = (name: string, admission: RegExp): Record<string, Route> => ({
    [`POST ${name}`]: {
      method: 'POST',
      pattern: admission,
      answer: ({ body, ids: [setId] }) => {
        const submissionId = randomUUID();
        const declared = Array.isArray(body.items) ? body.items : body.declaredFiles;
        const items = z
          .array(identified)
          .catch([])
          .parse(declared)
          .map(({ itemId }) => itemId);
        const { clientMutationId } = body;
        const made = { clientMutationId, setId: Number(setId ?? 4711), items, arrived: new Set<string>() };
        all.set(submissionId, { ...made, completed: false });
        return show(submissionId);
      },
    },
    [`POST ${name} assets`]: {
      method: 'POST',
      pattern: new RegExp(`^/me/${name}/([^/]+)/assets$`),
      answer: ({ ids: [id = ''], query }) => {
        const itemId = query.get('itemId') ?? '';
        all.get(id)?.arrived.add(itemId);
        return { data: { itemId, status: 'processing', submissionId: id } };
      },
    },
    [`GET ${name}`]: {
      method: 'GET',
      pattern: new RegExp(`^/me/${name}/([^/]+)$`),
      answer: ({ ids: [id = ''] }) => show(id),
    },
    [`POST ${name} complete`]: {
      method: 'POST',
      pattern: new RegExp(`^/me/${name}/([^/]+)/complete$`),
      answer: ({ ids: [id = ''] }) => {
        const found = all.get(id);
        if (found !== undefined) found.completed = true;
        return show(id);
      },
    },
  });
  return {
    ...of('set-uploads', /^\/me\/set-uploads$/),
    ...of('set-updates', /^\/me\/sets\/(\d+)\/updates$/),
  };
}

/** Secrets, which must come out nowhere. */
export const secrets = ['fuzz-access-token-7d41', 'fuzz-refresh-token-5e22', 'fuzz-code-9c03'] as const;
const [accessToken, refreshToken] = secrets;

function tokens(extra: object) {
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: 3600,
    scope:
      'assets:write assets:replace sets:write groups:write relationships:write openid profile offline_access',
    refresh_token: refreshToken,
    ...extra,
  };
}

/** Every route of the interface document, with a valid answer each. */
function documented(script: Script): Record<string, Route> {
  const seasons = [{ id: 9, kind: 'season', title: 'One', seasonNumber: 1, airDate: '2020-01-01' }];
  const sets = [{ id: 3, createdBy: 'mira', title: 'Set', dateUpdated: now }];
  const mediaSlots = paths('poster', 'backdrop', 'logo', 'squareArt', 'thumb');
  const metadata: Route['answer'] = ({ origin }) => ({
    issuer: `${origin}/api/auth`,
    id_token_signing_alg_values_supported: ['RS256'],
    authorization_response_iss_parameter_supported: true,
  });
  const idToken = (origin: string) => {
    const seconds = Math.floor(Date.now() / 1000);
    const claims = {
      iss: `${origin}/api/auth`,
      sub: script.subject,
      aud: 'app',
      iat: seconds,
      exp: seconds + 3600,
    };
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    return `${part({ alg: 'RS256' })}.${part({ ...claims, name: script.name, nonce: script.nonce })}.c2ln`;
  };
  return {
    'GET show': entity('shows', 'show', {
      overview: 'Long ago',
      tagline: null,
      status: 'ended',
      year: 2020,
      firstAirDate: '2020-01-01',
      lastAirDate: '2021-01-01',
      numberOfSeasons: 1,
      numberOfEpisodes: 1,
      metadataImages: images,
      assets: groups('posters', 'backdrops', 'logos', 'squareArts', 'thumbs'),
      seasons,
      sets,
    }),
    'GET season': entity('seasons', 'season', {
      seasonNumber: 1,
      airDate: '2020-01-01',
      metadataImages: { poster: null },
      assets: groups('posters', 'backdrops'),
      show: reference('show'),
      episodes: [{ id: 8, kind: 'episode', title: 'Pilot', episodeNumber: 1, airDate: '2020-01-01' }],
    }),
    'GET episode': entity('episodes', 'episode', {
      seasonNumber: 1,
      episodeNumber: 1,
      airDate: '2020-01-01',
      show: reference('show'),
      season: { ...reference('season'), seasonNumber: 1 },
      assets: groups('titlecards'),
    }),
    'GET movie': entity('movies', 'movie', {
      overview: 'A film',
      tagline: null,
      status: 'released',
      releaseDate: '2020-01-01',
      runtimeMinutes: 90,
      filmedForImax: false,
      metadataImages: images,
      assets: groups('posters', 'backdrops', 'logos', 'squareArts', 'thumbs'),
      collection: reference('collection'),
    }),
    'GET collection': entity('collections', 'collection', {
      overview: 'Films',
      firstReleaseDate: '2020-01-01',
      latestReleaseDate: '2021-01-01',
      metadataImages: images,
      assets: groups('posters', 'backdrops', 'logos', 'squareArts'),
      movies: [{ ...reference('movie'), releaseDate: '2020-01-01' }],
    }),
    'GET game': entity('games', 'game', {
      summary: 'Play',
      storyline: null,
      gameType: 'original',
      firstReleaseDate: '2020-01-01',
      metadataImages: images,
      assets: groups('covers', 'heroes', 'logos', 'wideCovers', 'backgrounds', 'squareCovers', 'icons'),
      developers: [{ name: 'Dev', role: 'main' }],
      publishers: ['Pub'],
      engines: [{ name: 'Engine' }],
      genres: ['puzzle'],
      platforms: [{ name: 'Console', abbreviation: 'C' }],
      relatedGames: [{ ...reference('game'), firstReleaseDate: '2020-01-01' }],
    }),
    'GET company': entity('companies', 'company', {
      name: 'Co',
      description: 'Makes films',
      homepage: 'https://co.example/',
      headquartersCountry: 'DE',
      originCountry: 'DE',
      metadataImages: { logo: null },
      assets: groups('posters', 'thumbs', 'logos'),
      parentCompany: null,
    }),
    'GET network': entity('networks', 'network', {
      name: 'Net',
      homepage: null,
      originCountry: 'DE',
      metadataImages: { logo: null },
      assets: groups('posters', 'thumbs', 'logos'),
    }),
    'GET person': entity('people', 'person', {
      name: 'P',
      biography: 'Born',
      birthday: '1980-01-01',
      deathday: null,
      placeOfBirth: 'Here',
      knownForDepartment: 'acting',
      homepage: null,
      metadataImages: { profile: null },
      assets: groups('posters'),
    }),
    'GET category': entity('categories', 'category', {
      name: 'Noir',
      description: 'Dark',
      group: 'genres',
      assets: groups('posters', 'thumbs'),
    }),
    'GET movie-set': setRead('movie-set', {
      edition: 'standard',
      boxset: { id: 2, title: 'Box' },
      movie: { id: 1, title: 'M', year: 2020, ...mediaSlots },
    }),
    'GET show-set': setRead('show-set', {
      boxset: null,
      show: {
        id: 1,
        title: 'S',
        year: 2020,
        ...mediaSlots,
        seasons: [
          {
            id: 9,
            seasonNumber: 1,
            ...paths('poster', 'backdrop'),
            episodes: [{ id: 8, episodeNumber: 1, ...paths('titlecard') }],
          },
        ],
      },
    }),
    'GET game-set': setRead('game-set', {
      loadout: null,
      game: { id: 1, title: 'G', year: 2020, ...paths('cover', 'hero', 'logo', 'wideCover', 'icon') },
    }),
    'GET collection-set': setRead('collection-set', {
      edition: 'standard',
      boxset: null,
      collection: {
        id: 1,
        title: 'C',
        ...paths('poster'),
        movies: [{ id: 1, title: 'M', year: 2020, ...mediaSlots }],
      },
    }),
    'GET brand-set': setRead('brand-set', {
      networks: [{ id: 1, name: 'N', ...paths('poster', 'thumb', 'logo') }],
      companies: [{ id: 1, name: 'C', ...paths('poster', 'thumb', 'logo') }],
    }),
    'GET boxset': setRead('boxsets', {
      poster: '/images/one.png',
      sets: [
        {
          id: 3,
          kind: 'movie_set',
          title: 'S',
          createdBy: null,
          dateUpdated: now,
          movie: { id: 1, title: 'M', year: 2020 },
        },
      ],
    }),
    'GET loadout': setRead('loadouts', {
      poster: null,
      sets: [
        { id: 3, title: 'S', createdBy: null, dateUpdated: now, game: { id: 1, title: 'G', year: 2020 } },
      ],
    }),
    'GET episodes index': page(
      '/episodes',
      /^\/episodes(?:\/pages\/[^/]+\/(\d+))?$/,
      {
        id: 8,
        title: 'Pilot',
        year: 2020,
        seasonNumber: 1,
        episodeNumber: 1,
        show: reference('show'),
        season: { ...reference('season'), seasonNumber: 1 },
      },
      false,
    ),
    'GET feed of Assets': page(
      '/feeds/assets',
      /^\/feeds\/assets(?:\/pages\/[^/]+\/(\d+))?$/,
      {
        assetId: someAsset,
        kind: 'asset',
        slot: 'poster',
        target: { id: 1, kind: 'movie' },
        changeType: 'updated',
        changedAt: now,
        previousAssetId: snapshot,
        replacements: [{ previousAssetId: snapshot, newAssetId: someAsset, changedAt: now }],
      },
      true,
    ),
    'GET feed of Sets': page(
      '/feeds/sets',
      /^\/feeds\/sets(?:\/pages\/[^/]+\/(\d+))?$/,
      { setId: 3, kind: 'movie_set', changeType: 'added', changedAt: now },
      true,
    ),
    'GET owned Asset': owned('assets', {
      languageCode: 'en',
      editionId: null,
      slot: 'poster',
      path: '/images/one.png',
    }),
    'GET owned Set': owned('sets', { setKind: 'category_set', items: [{ id: someAsset, slot: 'poster' }] }),
    'GET owned group': owned('groups', { kind: 'boxset', sets: [{ id: 3, title: 'S' }] }),
    'GET upload-destinations': {
      method: 'GET',
      pattern: /^\/me\/upload-destinations$/,
      answer: () => ({
        data: [{ id: 3, kind: 'media_set', title: 'Mine', family: 'media', target: { id: 1 } }],
      }),
    },
    'GET asset-uploads': {
      method: 'GET',
      pattern: /^\/me\/asset-uploads\/([^/]+)$/,
      answer: ({ ids: [clientMutationId] }) => ({
        data: {
          processingStatus: 'succeeded',
          publicationStatus: 'pending',
          clientMutationId,
          mutationId: 'm-1',
          assetId: someAsset,
          retryable: false,
          error: null,
        },
      }),
    },
    'GET relationships': {
      method: 'GET',
      pattern: /^\/me\/relationships$/,
      answer: () => ({
        data: [{ targetKind: 'person', targetId: 1, relationship: 'follow', updatedAt: revision }],
      }),
    },
    'POST assets': uploaded('assets'),
    'POST assets of a Set': uploaded('sets/(\\d+)/assets'),
    'POST poster of a group': uploaded('groups/([^/]+)/poster'),
    'POST metadata': changed('assets/([^/]+)/metadata', 'asset', someAsset),
    'POST preview': changed('assets/([^/]+)/preview', 'asset', someAsset),
    'POST groups': changed('groups', 'group', 21),
    'POST group': changed('groups/([^/]+)', 'group', 21),
    'POST grouping-sets': changed('grouping-sets', 'set', 22),
    'POST assets of a grouping Set': changed('grouping-sets/(\\d+)/assets', 'set', 22),
    'POST relationships': changed('relationships', 'relationship', 'r-1'),
    ...submissionRoutes(),
    'GET openid-configuration': {
      method: 'GET',
      pattern: /^\/api\/auth\/\.well-known\/openid-configuration$/,
      answer: metadata,
    },
    'GET oauth-authorization-server': {
      method: 'GET',
      pattern: /^\/api\/auth\/\.well-known\/oauth-authorization-server$/,
      answer: metadata,
    },
    'POST token': {
      method: 'POST',
      pattern: /^\/api\/auth\/oauth2\/token$/,
      answer: ({ body, origin }) =>
        body.grant_type === 'refresh_token'
          ? tokens({})
          : tokens({ expires_in: script.expiresIn, id_token: idToken(origin) }),
    },
    'POST revoke': { method: 'POST', pattern: /^\/api\/auth\/oauth2\/revoke$/, answer: () => ({}) },
  };
}

interface Script {
  nonce: string;
  expiresIn: number;
  /** Of the account that signs in, and what it is called. */
  subject: string;
  name: string;
  /** The status of spoilt answers. */
  status: number;
}

export interface WholeService extends ScriptedService {
  readonly routes: Readonly<Record<string, Route>>;
  /** What sign-ins are answered with. */
  readonly script: Script;
  /** Replaces the text of a route's answers until the function that it returns is called; null lets one pass. */
  spoil(route: string, text: (answer: unknown) => string | Promise<string>): () => void;
  /** The last valid answer of each route, once it was asked. */
  readonly answered: ReadonlyMap<string, unknown>;
}

const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A service on loopback with a valid answer to every route of the interface document, each of which can be spoiled. */
export async function startWholeService(): Promise<WholeService> {
  const script = { nonce: '', expiresIn: 3600, subject: 'mira', name: 'Mira', status: 200 };
  const routes = documented(script);
  const spoilt = new Map<string, (answer: unknown) => string | Promise<string>>();
  const answered = new Map<string, unknown>();

  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) if (chunk instanceof Buffer) chunks.push(chunk);
    const url = new URL(request.url ?? '/', 'http://service.invalid');
    if (url.pathname.startsWith('/images/')) return void response.writeHead(200).end(onePixel);
    const found = Object.entries(routes).find(
      ([, { method, pattern }]) => method === request.method && pattern.test(url.pathname),
    );
    if (found === undefined) {
      const error = { code: 'not_found', message: `Nothing is at ${url.pathname}.` };
      return void response.writeHead(404).end(JSON.stringify({ data: null, error }));
    }
    const [name, { pattern, answer }] = found;
    const answerOfRoute = answer({
      ids: (pattern.exec(url.pathname) ?? []).slice(1),
      query: url.searchParams,
      body: bodyOf(request, Buffer.concat(chunks)),
      origin: `http://${request.headers.host ?? ''}`,
    });
    answered.set(name, answerOfRoute);
    const spoil = spoilt.get(name);
    const text = (await spoil?.(answerOfRoute)) ?? JSON.stringify(answerOfRoute);
    response
      .writeHead(spoil === undefined ? 200 : script.status, {
        'content-type': 'application/json; charset=utf-8',
      })
      .end(text);
  };

  const service = await startScriptedService((request, response) => {
    respond(request, response).catch(() => response.destroy());
  });
  return {
    ...service,
    routes,
    script,
    answered,
    spoil(route, text) {
      spoilt.set(route, text);
      return () => void spoilt.delete(route);
    },
  };
}

function bodyOf(request: IncomingMessage, bytes: Buffer): Record<string, unknown> {
  const type = request.headers['content-type'] ?? '';
  if (type.includes('form')) return Object.fromEntries(new URLSearchParams(bytes.toString('utf8')));
  if (!type.includes('json')) return {};
  return z
    .record(z.string(), z.unknown())
    .catch({})
    .parse(JSON.parse(bytes.toString('utf8')));
}
