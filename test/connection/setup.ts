import { afterEach, beforeEach } from 'vitest';
import type { Clock } from '../../src/clock.ts';
import { type Connections, createConnections } from '../../src/connection/connections.ts';
import { connectionRows } from '../../src/connection/rows.ts';
import type { SignedIn } from '../../src/connection/sign-in.ts';
import { ArtworkError } from '../../src/errors.ts';
import { createDispatchers } from '../../src/http/dispatchers.ts';
import { holdersOfMachine } from '../../src/ledger/lease.ts';
import { allScopes } from '../../src/settings.ts';
import type { Store } from '../../src/store/open.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { openTestStore } from '../support/test-store.ts';
import { type ProviderOptions, type ScriptedProvider, startScriptedProvider } from './scripted-provider.ts';

export interface Home {
  readonly path: string;
  readonly storage: Store;
  remove(): Promise<void>;
}

/** A data folder of a test's own. */
export async function openHome(): Promise<Home> {
  const folder = await temporaryFolder();
  const storage = await openTestStore(folder.path);
  return {
    path: folder.path,
    storage,
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
  readonly clock?: Clock;
  readonly storage?: Store;
}

/** Connections as the program wires them. */
export function connectTo(
  { baseUrl, authUrl }: Pick<ScriptedProvider, 'baseUrl' | 'authUrl'>,
  home: Pick<Home, 'storage'>,
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
  const storage = options.storage ?? home.storage;
  const store = { ...storage, rows: connectionRows(storage.sql), holders: holdersOfMachine() };
  return createConnections({
    locate: async () => ({ baseUrl, authUrl, clientId, clientSecret, redirectUri }),
    user,
    storage: async () => store,
    connect: () => createDispatchers({ connections: 1 }),
    userAgent: 'artwork-mcp/test',
    ...(options.signInMs === undefined ? {} : { signInMs: options.signInMs }),
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

/** A clock a hundred times as fast while something waits. */
export function testClock(): TestClock {
  let passed = 0;
  return {
    now: () => Date.now() + passed,
    monotonic: () => performance.now() + passed,
    async sleep(milliseconds) {
      await new Promise((resolve) => setTimeout(resolve, milliseconds / 100));
      passed += milliseconds;
    },
    pass(milliseconds) {
      passed += milliseconds;
    },
  };
}

/** A service, a data folder and a clock, new for each test of a file. */
export function eachInItsWorld(options: ProviderOptions = {}) {
  let now: { provider: ScriptedProvider; home: Home; clock: TestClock } | null = null;
  const opened: Connections[] = [];
  const world = () => {
    if (now === null) throw new Error('No test is running.');
    return now;
  };
  beforeEach(async () => {
    now = { provider: await startScriptedProvider(options), home: await openHome(), clock: testClock() };
  });
  afterEach(async () => {
    const { provider, home } = world();
    await Promise.all(opened.splice(0).map((connections) => connections.close()));
    await provider.close();
    await home.remove();
  });
  return {
    get provider() {
      return world().provider;
    },
    get home() {
      return world().home;
    },
    get clock() {
      return world().clock;
    },
    /** The connection as another process has it. */
    connect(choice: ClientOptions = {}): Connections {
      const { provider, home, clock } = world();
      const connections = connectTo(provider, home, { clock, ...choice });
      opened.push(connections);
      return connections;
    },
    async signIn(connections: Connections, choice: SignInChoice = {}): Promise<SignedIn> {
      return signInAt(world().provider, connections, choice);
    },
  };
}
