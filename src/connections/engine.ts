import { randomBytes } from 'node:crypto';
import type { Keyv } from 'keyv';
import type { Clock } from '../clock.ts';
import { systemClock } from '../clock.ts';
import { ArtworkError } from '../errors.ts';
import type { Log } from '../log.ts';
import { SettingsError } from '../settings.ts';
import type { Marks } from '../store/kv.ts';
import type { Store } from '../store/open.ts';
import { connectionKey, type Io, Secret, type TokenService } from './grant.ts';
import { createTokenRecords } from './pointer.ts';
import type { Provider } from './provider/provider.ts';
import { createTransport, type OwnDispatchers } from './provider/transport.ts';

/** The app that this program is registered as, and where its service is (Authentication 3). */
interface RegisteredApp {
  /** `{base_url}`. */
  readonly baseUrl: string;
  /** `{auth_url}`. */
  readonly authUrl: string;
  readonly clientId: string;
  /** null: a public client. Read only when a request needs it. */
  readonly clientSecret: { read(): string } | null;
  /** The registered callback, to the letter. */
  readonly redirectUri: string;
}

/** Starts a service that may have ended, and makes sure that it is the right one, before anything is sent to it. */
export interface Waker {
  /** @throws ArtworkError service_unavailable, which says why */
  wake(): Promise<void>;
  /**
   * Wakes the service and keeps it awake until the caller calls the function that this resolves to. `lost` is called once
   * if the service ends before. Throws as `wake` does.
   */
  keepAwake(lost: (error: ArtworkError) => void): Promise<() => void>;
}

export interface ConnectionsOptions {
  /** Called by every call: the embedded catalogue may have to be started first. */
  readonly locate: () => Promise<RegisteredApp>;
  /** `ARTWORK_USER`. */
  readonly user: string;
  /** Called by every call; opens the storage once. */
  readonly storage: () => Promise<
    Pick<Store, 'seal' | 'keyLocation' | 'replaceKey'> & {
      readonly atomic: Marks;
      records(namespace: string): Keyv;
    }
  >;
  /** Makes connections for one request, which are destroyed after it. */
  readonly connect: () => OwnDispatchers;
  /** Default: the service is always there. */
  readonly waker?: Waker | undefined;
  /** Names the program and its version. */
  readonly userAgent: string;
  readonly log: Log;
  /** Default: this machine's. */
  readonly clock?: Clock;
  /** How long a request to the token endpoint may take. Default: 30 s. */
  readonly requestMs?: number;
  /** How long a sign-in waits for its callback. Default: ten minutes. */
  readonly signInMs?: number;
}

/**
 * Answers what a call works with, for the service as it is now. Opens, loads and reads nothing before the first call.
 */
export function createEngine(options: ConnectionsOptions) {
  const transport = createTransport(options.connect, options.userAgent);
  const clock = options.clock ?? systemClock;
  return async () => {
    const [app, storage] = await Promise.all([options.locate(), options.storage()]);
    const baseUrl = app.baseUrl.replace(/\/+$/, '');
    const authUrl = app.authUrl.replace(/\/+$/, '');
    const { clientId, clientSecret } = app;
    // Loaded only for a request: most calls find a good token in the store.
    const provider = async () => {
      const { createProvider } = await import('./provider/provider.ts');
      const secret = clientSecret === null ? null : readSecret(clientSecret);
      const requestMs = options.requestMs ?? 30_000;
      return createProvider({ baseUrl, authUrl, clientId, clientSecret: secret }, transport, requestMs);
    };
    const io: Io = {
      key: connectionKey(baseUrl, clientId, options.user),
      atomic: storage.atomic,
      records: createTokenRecords(storage.records('tokens'), storage.seal),
      service: tokenService(provider, options.waker),
      clock,
      random: () => randomBytes(16).toString('hex'),
      log: options.log,
    };
    return { io, app, storage, provider };
  };
}

/** @throws ArtworkError internal (`client_secret_unreadable`), which names the setting */
function readSecret(clientSecret: { read(): string }): Secret {
  try {
    return new Secret(clientSecret.read());
  } catch (error) {
    // The settings' own message names the setting and quotes nothing of the file.
    const message = error instanceof SettingsError ? error.message : 'The client secret can not be read.';
    throw new ArtworkError('internal', message, { code: 'client_secret_unreadable' });
  }
}

function tokenService(provider: () => Promise<Provider>, waker: Waker | undefined): TokenService {
  const load = async () => {
    const [{ renewToken, revokeToken }, there] = await Promise.all([
      import('./provider/token-endpoint.ts'),
      provider(),
    ]);
    return { renewToken, revokeToken, there };
  };
  let loading: ReturnType<typeof load> | null = null;
  const loaded = () => (loading ??= load());
  return {
    async prepare() {
      await loaded();
      await waker?.wake();
    },
    async renew(refreshToken) {
      const { renewToken, there } = await loaded();
      return renewToken(there, refreshToken);
    },
    async revoke(token, kind) {
      const { revokeToken, there } = await loaded();
      const reason = await whyAsleep(waker);
      if (reason !== null) return { outcome: 'failed', why: 'network', code: null, reason };
      return revokeToken(there, token, kind);
    },
  };
}

/** Why the service can't be woken, in a sentence for a person; null where it is awake. */
async function whyAsleep(waker: Waker | undefined): Promise<string | null> {
  try {
    await waker?.wake();
    return null;
  } catch (error) {
    if (error instanceof ArtworkError) return error.message;
    throw error;
  }
}
