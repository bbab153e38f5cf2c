import { createDispatchers } from '../../src/catalogue/dispatchers.ts';
import type { Clock } from '../../src/clock.ts';
import { type Connections, createConnections } from '../../src/connections/connections.ts';
import type { SignedIn } from '../../src/connections/sign-in/complete.ts';
import { ArtworkError } from '../../src/errors.ts';
import { createLog } from '../../src/log.ts';
import { allScopes } from '../../src/settings.ts';
import { createRecords } from '../../src/store/kv.ts';
import type { Store } from '../../src/store/open.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { openTestStore } from '../support/test-store.ts';
import type { ScriptedProvider } from './scripted-provider.ts';

/** A store as connections take it. */
export function storageOf(store: Store) {
  const records = (namespace: string) => createRecords(store.sql, namespace);
  return { ...store, atomic: store.marks, records };
}
export type Storage = ReturnType<typeof storageOf>;

export interface Home {
  readonly path: string;
  readonly storage: Storage;
  /** All that was logged. */
  readonly logged: string[];
  remove(): Promise<void>;
}

/** A data folder of a test's own. */
export async function openHome(): Promise<Home> {
  const folder = await temporaryFolder();
  const storage = storageOf(await openTestStore(folder.path));
  return {
    path: folder.path,
    storage,
    logged: [],
    async remove() {
      storage.close();
      await folder.remove();
    },
  };
}

export interface ClientOptions {
  readonly user?: string;
  readonly clientId?: string;
  readonly secret?: string | (() => string);
  readonly redirectUri?: string;
  readonly signInMs?: number;
  readonly requestMs?: number;
  readonly clock?: Clock;
  readonly storage?: Storage;
}

/** Connections as the program wires them. */
export function connectTo(
  { baseUrl, authUrl }: Pick<ScriptedProvider, 'baseUrl' | 'authUrl'>,
  home: Pick<Home, 'storage' | 'logged'>,
  options: ClientOptions = {},
): Connections {
  const {
    clientId = 'app',
    secret,
    redirectUri = 'https://app.example/callback',
    user = 'default',
  } = options;
  const read = typeof secret === 'string' ? () => secret : secret;
  const clientSecret = read === undefined ? null : { read };
  return createConnections({
    locate: async () => ({ baseUrl, authUrl, clientId, clientSecret, redirectUri }),
    user,
    storage: async () => options.storage ?? home.storage,
    connect: () => createDispatchers({ connections: 1, idleMs: 1000 }),
    userAgent: 'artwork-mcp/test',
    log: createLog('debug', (line) => home.logged.push(line)),
    ...(options.signInMs === undefined ? {} : { signInMs: options.signInMs }),
    ...(options.requestMs === undefined ? {} : { requestMs: options.requestMs }),
    ...(options.clock === undefined ? {} : { clock: options.clock }),
  });
}

export interface SignInChoice {
  readonly subject?: string;
  readonly scopes?: readonly string[];
  readonly replace?: boolean;
}

/** Signs in by pasting the callback. */
export async function signInAt(
  provider: ScriptedProvider,
  connections: Connections,
  { subject = 'mira', scopes = allScopes, replace = false }: SignInChoice = {},
): Promise<SignedIn> {
  const signIn = await connections.signIn({ scopes, replace, listen: false });
  await signIn.paste(provider.approve(signIn.url, subject).href);
  return signIn.done;
}

/** The status of a protected call with this token. */
export async function call({ baseUrl }: Pick<ScriptedProvider, 'baseUrl'>, token: string): Promise<number> {
  const response = await fetch(`${baseUrl}/me/anything`, { headers: { authorization: `Bearer ${token}` } });
  await response.body?.cancel();
  return response.status;
}

/** The error that something ends with. */
export async function failure(failing: Promise<unknown>): Promise<ArtworkError> {
  const error = await failing.then(
    () => new Error('It succeeded.'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ArtworkError)) throw error;
  return error;
}

/** The code of the error that something ends with. */
export const codeOf = async (failing: Promise<unknown>): Promise<string> => (await failure(failing)).code;

export interface TestClock extends Clock {
  pass(milliseconds: number): void;
}

/** A clock on which waiting takes no time: each sleep moves it on. */
export function testClock(): TestClock {
  let passed = 0;
  return {
    now: () => Date.now() + passed,
    monotonic: () => performance.now() + passed,
    async sleep(milliseconds) {
      passed += milliseconds;
      await new Promise((resolve) => setImmediate(resolve));
    },
    pass(milliseconds) {
      passed += milliseconds;
    },
  };
}
