import { createHash, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { createFaults } from '../../src/sandbox/faults.ts';
import { fingerprint } from '../../src/sandbox/oauth/connection.ts';
import { openFolder } from '../../src/sandbox/process/folder.ts';
import { serveCatalogue } from '../../src/sandbox/server.ts';
import type { Store } from '../../src/sandbox/store.ts';
import { fillFolder } from '../support/filled.ts';
import { temporaryFolder } from '../support/temporary.ts';

export const everyScope =
  'offline_access assets:write assets:replace sets:write groups:write relationships:write';

/** What a protected request was answered. */
export interface Heard {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** The whole embedded catalogue in this process, with accounts whose apps hold access tokens. */
export interface OwnersCatalogue {
  readonly sandbox: { readonly origin: string };
  readonly dataDir: string;
  readonly baseUrl: string;
  /** A token of the account of this number, counted from 1, with these scopes. */
  token(account?: number, scope?: string): Promise<string>;
  get(path: string, token: string): Promise<Heard>;
  post(path: string, token: string, body: unknown): Promise<Heard>;
  /** Sends a file; `query` and `headers` change or add, and null leaves out, what a correct upload has. */
  upload(path: string, token: string, file: UploadedFile): Promise<Heard>;
  /** The same, with the answer as it came. */
  raw(path: string, token: string, file: UploadedFile, signal?: AbortSignal): Promise<Response>;
  /** Moves the catalogue's clock ahead; tokens don't heed it. */
  pass(milliseconds: number): void;
  /** What is in the database: for what no request tells. */
  readonly database: Store;
  stop(): Promise<void>;
}

export interface UploadedFile {
  readonly bytes: Buffer;
  readonly contentType?: string;
  readonly query: Readonly<Record<string, string | number | null>>;
  readonly headers?: Readonly<Record<string, string | null>>;
}

export interface CatalogueSettings {
  readonly publicationLagMs?: number;
  /** Whether it fails as `/.sandbox/faults` is told. */
  readonly faults?: boolean;
}

export async function startCatalogue(options: CatalogueSettings = {}): Promise<OwnersCatalogue> {
  const folder = await temporaryFolder();
  const dataDir = folder.path;
  await fillFolder(dataDir);
  let ahead = 0;
  const server = await serveCatalogue({
    ...{ dataDir, folder: await openFolder(dataDir), port: 0, basePath: '/catalogue/v1' },
    publicationLagMs: options.publicationLagMs ?? 0,
    faults: options.faults === true ? createFaults() : null,
    now: () => new Date(Date.now() + ahead),
  });
  const { baseUrl, store } = server;
  const raw: OwnersCatalogue['raw'] = (path, token, file, signal) =>
    sendFile(baseUrl + path, token, file, signal);
  return {
    sandbox: { origin: new URL(baseUrl).origin },
    dataDir,
    baseUrl,
    token: async (account = 1, scope = everyScope) => plantToken(store, baseUrl, account, scope),
    get: async (path, token) =>
      heard(await fetch(baseUrl + path, { headers: { authorization: `Bearer ${token}` } })),
    post: async (path, token, body) =>
      heard(
        await fetch(baseUrl + path, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: typeof body === 'string' ? body : JSON.stringify(body),
        }),
      ),
    raw,
    upload: async (path, token, file) => heard(await raw(path, token, file)),
    pass(milliseconds) {
      ahead += milliseconds;
    },
    database: store,
    async stop() {
      await server.close();
      await folder.remove();
    },
  };
}

/** An access token as a sign-in would have given it, without one: that takes far longer than most tests. */
export function plantToken(
  store: Store,
  baseUrl: string,
  accountId: number,
  scope: string,
  audience = `${baseUrl}/me`,
): string {
  const [token, grant] = [randomUUID(), randomUUID()];
  const made = { account_id: accountId, client_id: 'test' };
  const payload = JSON.stringify({ iat: 0, exp: 0, aud: audience, scope });
  store.insert('oauth_records', { model: 'Grant', id: grant, payload, ...made });
  store.insert('oauth_records', {
    ...{ model: 'AccessToken', id: fingerprint(token), grant_id: grant, payload, ...made },
    expires_at: Math.floor(Date.now() / 1000) + 3_600,
  });
  return token;
}

export function withoutNulls(
  record: Readonly<Record<string, string | number | null>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]])),
  );
}

/** Sends a file as a client should, but for what the file's own description changes. */
export function sendFile(
  url: string,
  token: string,
  file: UploadedFile,
  signal?: AbortSignal,
): Promise<Response> {
  const { bytes, contentType = 'image/png', query, headers = {} } = file;
  return fetch(`${url}?${new URLSearchParams(withoutNulls(query))}`, {
    method: 'POST',
    headers: withoutNulls({
      authorization: `Bearer ${token}`,
      'content-type': contentType,
      'x-upload-filename': 'picture.png',
      'x-upload-sha256': createHash('sha256').update(bytes).digest('hex'),
      ...headers,
    }),
    body: new Uint8Array(bytes),
    ...(signal === undefined ? {} : { signal }),
  });
}

export async function heard(response: Response): Promise<Heard> {
  const text = await response.text();
  const body: unknown = text === '' ? null : JSON.parse(text);
  return { status: response.status, headers: response.headers, body };
}

/** The protected error body with this code. */
export function refusal(code: string, details: unknown = expect.any(Object)) {
  return { error: { code, message: expect.any(String), details, issues: expect.any(Array) } };
}

/** The `data` of an answer, as named values. */
export function dataOf({ body }: Pick<Heard, 'body'>): Record<string, unknown> {
  if (body instanceof Object && 'data' in body && body.data instanceof Object) {
    return Object.fromEntries(Object.entries(body.data));
  }
  throw new Error(`The answer has no data: ${JSON.stringify(body)}`);
}

/** A text among the `data` of an answer. */
export function textOf(heardAnswer: Pick<Heard, 'body'>, name: string): string {
  const { [name]: value } = dataOf(heardAnswer);
  if (typeof value === 'string') return value;
  throw new Error(`${name} is no text: ${JSON.stringify(heardAnswer.body)}`);
}
