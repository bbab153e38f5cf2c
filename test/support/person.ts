import { randomUUID } from 'node:crypto';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { allScopes, type FailingHousehold, startFailingHousehold } from './account.ts';
import type { CatalogueControl } from './catalogue-control.ts';
import { freePort } from './free-port.ts';
import { type Answer, type Host, type HostOptions, startHost } from './host.ts';
import { oncePerRun } from './once-per-run.ts';
import { temporaryFolder } from './temporary.ts';

/** A person before a host: what one journey needs. */
export interface Person extends Host {
  /** `ARTWORK_HOME`. */
  readonly home: string;
  /** The folder that files may be uploaded from. */
  readonly uploads: string;
  /** The folder that downloads may be written below. */
  readonly downloads: string;
  readonly env: Readonly<Record<string, string>>;
  /** Another server on the same data directory, as of another host or after a crash. */
  again(more?: Record<string, string>, options?: HostOptions): Promise<Person>;
  newId(): Promise<string>;
}

export interface Owner extends Person {
  readonly baseUrl: string;
  readonly control: CatalogueControl;
}

/** A person with a fresh data directory before the service at `baseUrl`, for one journey. */
export async function visitor(
  baseUrl: string,
  more: Record<string, string> = {},
  options: HostOptions = {},
): Promise<Person> {
  const me = await startVisitor(baseUrl, more, options);
  onTestFinished(() => me.leave());
  return me;
}

/** The same for several journeys that leave the server whole. */
export async function startVisitor(
  baseUrl: string,
  more: Record<string, string> = {},
  options: HostOptions = {},
): Promise<Person & { leave(): Promise<void> }> {
  const folder = await temporaryFolder();
  const me = await person(
    { ...(await foldersBelow(folder.path)), ARTWORK_BASE_URL: baseUrl, ...more },
    options,
  );
  return {
    ...me,
    async leave() {
      await me.stop();
      await folder.remove();
    },
  };
}

/**
 * The owner of an account of this worker's embedded catalogue, which fails as `control` says. One server serves all
 * journeys of the worker that leave it whole; the others begin with `newOwner`.
 * @param account which of the ten accounts; journeys that count what is theirs take one for themselves
 */
export async function owner(account = 0, more: Record<string, string> = {}): Promise<Owner> {
  const key = JSON.stringify([account, more]);
  const known = owners.get(key) ?? startOwner(account, more, path.join(inject('runFolder'), randomUUID()));
  owners.set(key, known);
  const one = await known;
  onTestFinished(() => one.control.heal());
  return one;
}

/** An owner with a server and a data directory of their own, for a journey that ends them or counts what is there. */
export async function newOwner(more: Record<string, string> = {}): Promise<Owner> {
  const one = await startOwner(0, more, await ownFolder());
  onTestFinished(() => one.control.heal());
  onTestFinished(() => one.stop());
  return one;
}

/** The embedded catalogue that the journeys of this worker share. */
export function catalogue(): Promise<FailingHousehold> {
  started ??= start();
  return started;
}

let started: Promise<FailingHousehold> | undefined;
const signIns = new Map<number, ReturnType<typeof signInOnce>>();
const owners = new Map<string, Promise<Owner>>();

async function start(): Promise<FailingHousehold> {
  const household = await startFailingHousehold([
    ...['--idle', '300', '--token-lifetime', '7200'],
    // Public reads lag, but nobody waits for them.
    ...['--publication-lag', '0.2'],
  ]);
  // A worker is ended without a word; the run ends what it has left.
  const folder = path.join(inject('runFolder'), 'left-behind');
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, String(household.pid)), household.home);
  return household;
}

/** Starts a server on a copy of the data directory that the account has signed in with. */
async function startOwner(account: number, more: Record<string, string>, folder: string): Promise<Owner> {
  const household = await catalogue();
  const signIn = signIns.get(account) ?? signInOnce(household, account);
  signIns.set(account, signIn);
  const { env, home } = await signIn;
  const folders = await foldersBelow(folder);
  await cp(home, folders.ARTWORK_HOME, { recursive: true });
  const { control, baseUrl } = household;
  return { ...(await person({ ...env, ...folders, ...more })), control, baseUrl };
}

async function signInOnce(household: FailingHousehold, account: number) {
  const redirectUri = `http://127.0.0.1:${await freePort()}/callback`;
  const { ARTWORK_CLIENT_ID: clientId = '' } = await household.register({
    type: 'public',
    redirectUri,
    scopes: allScopes,
  });
  const env = {
    ARTWORK_BASE_URL: household.baseUrl,
    ARTWORK_CLIENT_ID: clientId,
    ARTWORK_REDIRECT_URI: redirectUri,
  };
  const home = await oncePerRun(`signed in ${household.baseUrl} ${account}`, async (folder) => {
    const host = await startHost({ ...env, HOME: folder, ARTWORK_HOME: folder });
    const { url } = await host.call('connect_account', { scopes: [...allScopes] });
    const page = await fetch(await household.agree(String(url), account));
    if (!page.ok) throw new Error(`The sign-in ended with ${page.status}.`);
    await host.stop();
  });
  return { env, home };
}

async function ownFolder(): Promise<string> {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  return folder.path;
}

async function foldersBelow(folder: string) {
  const at = (name: string) => path.join(folder, name);
  for (const name of ['uploads', 'downloads']) await mkdir(at(name), { recursive: true });
  return {
    HOME: folder,
    ARTWORK_HOME: at('home'),
    ARTWORK_UPLOAD_ROOTS: at('uploads'),
    ARTWORK_DOWNLOAD_ROOT: at('downloads'),
    // Only what is about finding by name has the catalogue read for it.
    ARTWORK_INDEX: 'off',
  };
}

async function person(env: Record<string, string>, options: HostOptions = {}): Promise<Person> {
  const host = await startHost(env, options);
  return {
    ...host,
    env,
    home: env.ARTWORK_HOME ?? '',
    uploads: env.ARTWORK_UPLOAD_ROOTS ?? '',
    downloads: env.ARTWORK_DOWNLOAD_ROOT ?? '',
    async again(more = {}, others = options) {
      const other = await person({ ...env, ...more }, others);
      onTestFinished(() => other.stop());
      return other;
    },
    newId: async () => at(await host.call('new_mutation_ids', { count: 1 }), 'ids', 0),
  };
}

/** The text or number at a path of an answer. @throws Error if there is none */
export function at(value: unknown, ...path: readonly (string | number)[]): string {
  const found = dig(value, ...path);
  if (typeof found !== 'string' && typeof found !== 'number')
    throw new Error(`There is no ${path.join('.')} in ${JSON.stringify(value).slice(0, 400)}`);
  return String(found);
}

export const numberAt = (value: unknown, ...path: readonly (string | number)[]): number =>
  Number(at(value, ...path));

/** The list at a path of an answer. @throws Error if there is none */
export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = dig(value, ...path);
  if (!Array.isArray(found))
    throw new Error(`There is no list ${path.join('.')} in ${JSON.stringify(value).slice(0, 400)}`);
  return found;
}

/** What lies at a path of an answer, or undefined. */
export function dig(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
}

/** The id of what a change has made or touched. */
export function madeId(answer: Answer): string {
  const receipt = Object(dig(answer, 'receipt'));
  return at(
    { id: dig(answer, 'id', 'id') ?? receipt.assetId ?? receipt.setId ?? receipt.groupId ?? receipt.id },
    'id',
  );
}
