import path from 'node:path';
import type { Store } from '../../src/sandbox/store.ts';
import { fillFolder } from '../support/filled.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { everyScope as scopes, startOwner } from './owner.ts';

export const everyScope = ['offline_access', ...scopes].join(' ');

/** What a protected request was answered. */
interface Heard {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** The whole embedded catalogue in this process, filled, with accounts whose apps hold access tokens. */
export interface OwnersCatalogue {
  readonly sandbox: { readonly origin: string };
  readonly baseUrl: string;
  /** A token of the account of this number, counted from 1, with these scopes. */
  token(account?: number, scope?: string): Promise<string>;
  get(path: string, token: string): Promise<Heard>;
  post(path: string, token: string, body: unknown): Promise<Heard>;
  upload(path: string, token: string, file: UploadedFile): Promise<Heard>;
  /** Moves the catalogue's clock ahead; tokens don't heed it. */
  pass(milliseconds: number): void;
  /** What is in the database: for what no request tells. */
  readonly database: Store;
  stop(): Promise<void>;
}

interface UploadedFile {
  readonly bytes: Buffer;
  readonly contentType?: string;
  readonly query: Readonly<Record<string, string | number>>;
  readonly headers?: Readonly<Record<string, string>>;
}

export async function startCatalogue(): Promise<OwnersCatalogue> {
  const folder = await temporaryFolder();
  const dataDir = path.join(folder.path, 'data');
  await fillFolder(dataDir);
  const owner = await startOwner({ dataDir });
  return {
    sandbox: { origin: new URL(owner.baseUrl).origin },
    baseUrl: owner.baseUrl,
    token: async (account = 1, scope = everyScope) => owner.token(account, scope.split(' ')),
    get: (path, token) => owner.get(path, { token }),
    post: (path, token, body) => owner.post(path, body, { token }),
    upload: (path, token, { bytes, contentType = 'image/png', query, headers }) =>
      owner.upload(path, query, bytes, { token, headers: { 'content-type': contentType, ...headers } }),
    pass: owner.pass,
    database: owner.store,
    async stop() {
      await owner.stop();
      await folder.remove();
    },
  };
}

/** A text among the `data` of an answer. */
export function textOf({ body }: Pick<Heard, 'body'>, name: string): string {
  const value: unknown = Reflect.get(Object(Object(body).data), name);
  if (typeof value === 'string') return value;
  throw new Error(`${name} is no text: ${JSON.stringify(body)}`);
}
