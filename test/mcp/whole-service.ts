import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { type ScriptedService, startScriptedService } from '../support/scripted-service.ts';

/** What a handler is told of a request. */
interface Asked {
  /** What the `*` of the path stands for, if that is a number: as one. */
  readonly id: string | number;
  readonly query: URLSearchParams;
  /** Its JSON or form; an empty record for any other body. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly origin: string;
}
type Answering = (asked: Asked) => unknown;

const now = '2026-01-01T00:00:00.000Z';
/** What every record of an owner is at. */
export const revision = now;
export const someAsset = '6f2d1c58-0a3e-4c1b-9d55-1f0e2a3b4c5d';
const snapshot = '0b7f3a52-6d1e-4f5a-8c3b-2e1d0c9b8a7f';
/** Secrets, which must come out nowhere. */
export const secrets = ['fuzz-access-token-7d41', 'fuzz-refresh-token-5e22', 'fuzz-code-9c03'] as const;

const asset = { id: someAsset, path: '/images/one.png', languageCode: 'en' };
const paths = (...slots: string[]) => Object.fromEntries(slots.map((slot) => [slot, '/images/one.png']));
const groups = (...names: string[]) => Object.fromEntries(names.map((name) => [name, [asset]]));
const metadataImages = { poster: null, backdrop: null, logo: null };
const reference = (kind: string) => ({ id: 5, kind, title: `A ${kind}` });
const numbered = (kind: string) => ({ ...reference(kind), seasonNumber: 1, airDate: '2020-01-01' });

const entity =
  (kind: string, more: object): Answering =>
  ({ id }) => ({ data: { id, kind, title: `The ${kind} ${id}`, ...more } });
const set =
  (more: object): Answering =>
  ({ id }) => {
    const head = { id, title: `Set ${id}`, description: 'Made by hand', createdBy: 'mira', language: 'en' };
    return { data: { ...head, dateCreated: now, dateUpdated: now, ...more } };
  };
const owned =
  (more: object): Answering =>
  ({ id }) => ({ data: { id, updatedAt: revision, title: 'Mine', ...more } });
/** The pages of a list: the first, and those behind. */
const paged = (name: string, path: string, item: object): Record<string, readonly [string, Answering]> => {
  const answer = (page: number) => ({
    data: [item, item],
    meta: { snapshot, page, totalPages: 2, nextPage: page === 1 ? `${path}/pages/${snapshot}/2` : null },
  });
  return {
    [`GET ${name}`]: [path, () => answer(1)],
    [`GET more of ${name}`]: [`${path}/pages/${snapshot}/*`, () => answer(2)],
  };
};

/** Routes of each kind that answers have, by name: where they are, and a valid answer. */
function documented(script: Script): Readonly<Record<string, readonly [path: string, answer: Answering]>> {
  const metadata: Answering = ({ origin }) => ({
    issuer: `${origin}/api/auth`,
    id_token_signing_alg_values_supported: ['RS256'],
    authorization_response_iss_parameter_supported: true,
  });
  const idToken = (origin: string) => {
    const { subject: sub, name, nonce } = script;
    const iat = Math.floor(Date.now() / 1000);
    const claims = { iss: `${origin}/api/auth`, sub, name, nonce, aud: 'app', iat, exp: iat + 3600 };
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    return `${part({ alg: 'RS256' })}.${part(claims)}.c2ln`;
  };
  const [access_token, refresh_token] = secrets;
  const scope = `assets:write assets:replace sets:write groups:write relationships:write openid profile offline_access`;
  const media = groups('posters', 'backdrops', 'logos', 'squareArts', 'thumbs');
  const season = { id: 9, seasonNumber: 1, ...paths('poster', 'backdrop') };
  const ofShow = { ...numbered('episode'), id: 8, episodeNumber: 1, year: 2020, show: reference('show') };
  return {
    'GET show': [
      '/shows/*',
      entity('show', {
        ...{
          overview: 'Long ago',
          tagline: null,
          status: 'ended',
          year: 2020,
          metadataImages,
          assets: media,
        },
        ...{ firstAirDate: '2020-01-01', lastAirDate: '2021-01-01' },
        ...{ numberOfSeasons: 1, numberOfEpisodes: 1, seasons: [numbered('season')] },
        sets: [{ id: 3, createdBy: 'mira', title: 'Set', dateUpdated: now }],
      }),
    ],
    'GET movie': [
      '/movies/*',
      entity('movie', {
        ...{ overview: 'A film', tagline: null, status: 'released', releaseDate: '2020-01-01' },
        ...{ runtimeMinutes: 90, filmedForImax: false, metadataImages, assets: media },
        collection: reference('collection'),
      }),
    ],
    'GET person': [
      '/people/*',
      entity('person', {
        ...{ name: 'P', biography: 'Born', birthday: '1980-01-01', deathday: null, placeOfBirth: 'Here' },
        ...{ knownForDepartment: 'acting', homepage: null, metadataImages: { profile: null } },
        assets: groups('posters'),
      }),
    ],
    'GET show-set': [
      '/show-set/*',
      set({
        boxset: null,
        show: {
          ...{ id: 1, title: 'S', year: 2020, ...paths('poster', 'backdrop', 'logo', 'squareArt', 'thumb') },
          seasons: [{ ...season, episodes: [{ id: 8, episodeNumber: 1, ...paths('titlecard') }] }],
        },
      }),
    ],
    'GET boxset': [
      '/boxsets/*',
      set({
        ...paths('poster'),
        sets: [
          {
            ...{ id: 3, kind: 'movie_set', title: 'S', createdBy: null, dateUpdated: now },
            movie: { id: 1, title: 'M', year: 2020 },
          },
        ],
      }),
    ],
    ...paged('episodes index', '/episodes', { ...ofShow, season: numbered('season') }),
    ...paged('feed of Assets', '/feeds/assets', {
      ...{ assetId: someAsset, kind: 'asset', slot: 'poster', target: { id: 1, kind: 'movie' } },
      ...{ changeType: 'updated', changedAt: now, previousAssetId: snapshot },
      replacements: [{ previousAssetId: snapshot, newAssetId: someAsset, changedAt: now }],
    }),
    ...paged('feed of Sets', '/feeds/sets', {
      ...{ setId: 3, kind: 'movie_set', changeType: 'added', changedAt: now },
    }),
    'GET owned Asset': ['/me/assets/*', owned({ editionId: null, slot: 'poster', ...asset })],
    'GET owned Set': [
      '/me/sets/*',
      owned({ setKind: 'category_set', items: [{ id: someAsset, slot: 'poster' }] }),
    ],
    'GET owned group': ['/me/groups/*', owned({ kind: 'boxset', sets: [{ id: 3, title: 'S' }] })],
    'GET upload-destinations': [
      '/me/upload-destinations',
      () => ({ data: [{ id: 3, kind: 'media_set', title: 'Mine', family: 'media', target: { id: 1 } }] }),
    ],
    'GET asset-uploads': [
      '/me/asset-uploads/*',
      ({ id: clientMutationId }) => ({
        data: {
          ...{ clientMutationId, mutationId: 'm-1', assetId: someAsset, retryable: false, error: null },
          ...{ processingStatus: 'succeeded', publicationStatus: 'pending' },
        },
      }),
    ],
    'GET relationships': [
      '/me/relationships',
      () => ({ data: [{ targetKind: 'person', targetId: 1, relationship: 'follow', updatedAt: revision }] }),
    ],
    'POST assets': [
      '/me/assets',
      ({ query }) => ({
        data: {
          ...{ clientMutationId: query.get('clientMutationId'), assetId: someAsset },
          ...{ processingStatus: 'succeeded', publicationStatus: 'pending' },
          asset: { id: someAsset, updatedAt: revision },
        },
      }),
    ],
    'POST groups': [
      '/me/groups',
      ({ body: { clientMutationId } }) => ({
        data: { clientMutationId, group: { id: 21, updatedAt: revision }, publicationStatus: 'not_required' },
      }),
    ],
    'GET openid-configuration': ['/api/auth/.well-known/openid-configuration', metadata],
    'GET oauth-authorization-server': ['/api/auth/.well-known/oauth-authorization-server', metadata],
    'POST token': [
      '/api/auth/oauth2/token',
      ({ origin }) => ({
        ...{ access_token, refresh_token, token_type: 'Bearer', expires_in: 3600, scope },
        id_token: idToken(origin),
      }),
    ],
    'POST revoke': ['/api/auth/oauth2/revoke', () => ({})],
  };
}

interface Script {
  nonce: string;
  /** Of the account that signs in, and what it is called. */
  subject: string;
  name: string;
  /** The status of spoilt answers. */
  status: number;
}

/** What a person's browser does at the address that `connect_account` told, for the account of the service's script. */
export async function visit(service: WholeService, told: unknown): Promise<void> {
  const asked = new URL(z.looseObject({ url: z.string() }).parse(told).url).searchParams;
  service.script.nonce = asked.get('nonce') ?? '';
  const callback = new URL(asked.get('redirect_uri') ?? '');
  const answer = { code: secrets[2], state: asked.get('state') ?? '', iss: `${service.baseUrl}/api/auth` };
  callback.search = new URLSearchParams(answer).toString();
  const page = await fetch(callback);
  if (!page.ok) throw new Error(`The sign-in ended with ${page.status}.`);
}

export interface WholeService extends ScriptedService {
  /** What sign-ins are answered with. */
  readonly script: Script;
  /** Replaces the text of a route's answers until the function that it returns is called. */
  spoil(route: string, text: (answer: unknown) => string): () => void;
  /** The last valid answer of each route, once it was asked. */
  readonly answered: ReadonlyMap<string, unknown>;
}

const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A service on loopback with a valid answer to each of its routes, which can be spoiled. */
export async function startWholeService(): Promise<WholeService> {
  const script = { nonce: '', subject: 'mira', name: 'Mira', status: 200 };
  const routes = Object.entries(documented(script));
  const spoilt = new Map<string, (answer: unknown) => string>();
  const answered = new Map<string, unknown>();
  /** Ids of uploads that were asked for: an id is new when it is asked for first. */
  const asked = new Set<string>();

  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) if (chunk instanceof Buffer) chunks.push(chunk);
    const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://service.invalid');
    if (pathname.startsWith('/images/')) return void response.writeHead(200).end(onePixel);
    const last = pathname.slice(pathname.lastIndexOf('/') + 1);
    const places = [pathname, `${pathname.slice(0, -last.length)}*`];
    const found = routes.find(
      ([name, [path]]) => name.startsWith(`${request.method} `) && places.includes(path),
    );
    const isNewId = found?.[0] === 'GET asset-uploads' && !asked.has(last);
    asked.add(last);
    if (found === undefined || isNewId) {
      const error = { code: 'not_found', message: `Nothing is at ${pathname}.` };
      return void response.writeHead(404).end(JSON.stringify({ data: null, error }));
    }
    const [name, [, answer]] = found;
    const valid = answer({
      id: /^\d+$/.test(last) ? Number(last) : last,
      query,
      body: bodyOf(request, Buffer.concat(chunks)),
      origin: `http://${request.headers.host ?? ''}`,
    });
    answered.set(name, valid);
    const spoil = spoilt.get(name);
    // It may say with which status.
    const text = spoil?.(valid) ?? JSON.stringify(valid);
    const status = spoil === undefined ? 200 : script.status;
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  };

  const service = await startScriptedService((request, response) => {
    respond(request, response).catch(() => response.destroy());
  });
  return {
    ...service,
    script,
    answered,
    spoil(route, text) {
      spoilt.set(route, text);
      return () => void spoilt.delete(route);
    },
  };
}

function bodyOf(request: IncomingMessage, bytes: Buffer): Record<string, unknown> {
  if (!(request.headers['content-type'] ?? '').includes('json')) return {};
  const members = z.record(z.string(), z.unknown());
  return members.catch({}).parse(JSON.parse(bytes.toString('utf8')));
}
