import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { type CatalogueOptions, catalogueMounts } from '../../src/sandbox/mounts.ts';
import { type Sandbox, serveSandbox } from '../../src/sandbox/serve.ts';
import type { Database } from '../../src/sandbox/store/database.ts';
import { readCredentials } from '../support/credentials.ts';
import { fillFolder } from '../support/filled.ts';
import { signInAndAnswerConsent, Visitor } from '../support/sign-in.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { App, own, present } from './oauth-app.ts';

export const everyScope =
  'offline_access assets:write assets:replace sets:write groups:write relationships:write';

/** What a protected request was answered. */
export interface Heard {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** The whole embedded catalogue in this process, with accounts that have signed in through its pages. */
export interface OwnersCatalogue {
  readonly sandbox: Sandbox;
  readonly dataDir: string;
  readonly baseUrl: string;
  /** Signs in as the account of this number, counted from 1, and has these scopes granted. */
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
  readonly database: Database;
  stop(): Promise<void>;
}

export interface UploadedFile {
  readonly bytes: Buffer;
  readonly contentType?: string;
  readonly query: Readonly<Record<string, string | number | null>>;
  readonly headers?: Readonly<Record<string, string | null>>;
}

export interface CatalogueSettings extends CatalogueOptions {
  readonly dataDir?: string;
  readonly basePath?: string;
}

export async function startCatalogue(options: CatalogueSettings = {}): Promise<OwnersCatalogue> {
  const { dataDir: given, basePath = '/catalogue/v1', ...parts } = options;
  const folder = given === undefined ? await temporaryFolder() : null;
  const dataDir = given ?? folder?.path ?? '';
  await fillFolder(dataDir);
  let ahead = 0;
  const now = () => new Date(Date.now() + ahead);
  const sandbox = await serveSandbox({ dataDir, port: 0, basePath, mounts: catalogueMounts(parts), now });
  const { baseUrl, origin: authUrl } = sandbox;
  const visitors = new Map<number, Visitor>();
  const raw: OwnersCatalogue['raw'] = (path, token, file, signal) =>
    sendFile(baseUrl + path, token, file, signal);
  return {
    sandbox,
    dataDir,
    baseUrl,
    async token(account = 1, scope = everyScope) {
      const visitor = visitors.get(account) ?? new Visitor();
      visitors.set(account, visitor);
      const credentials = present((await readCredentials(dataDir))[account - 1], 'account');
      const app = new App({ baseUrl, authUrl }, own);
      const tokens = await app.exchange(
        await signInAndAnswerConsent(visitor, app.authorizationUrl(scope), credentials),
      );
      return present(tokens.accessToken, 'access token');
    },
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
    database: sandbox.database,
    async stop() {
      await sandbox.close();
      await folder?.remove();
    },
  };
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
