import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { systemClock } from '../clock.ts';
import type { Waker } from '../connection/connections.ts';
import { ArtworkError } from '../errors.ts';
import type { OpenConnection } from '../http/dispatchers.ts';
import type { Log } from '../log.ts';
import type { AccountParts } from '../mcp/context.ts';
import type { NamedCatalogue } from '../model/target-names.ts';
import { type Settings, SettingsError, type SharedStoreSetting } from '../settings.ts';
import { storeFile } from '../store/home.ts';
import type { Marks } from '../store/kv.ts';
import type { SharedStore, Store } from '../store/open.ts';
import { userAgent } from '../version.ts';
import type { ServiceAddress } from './embedded.ts';

/** Where the configured service is, and the one way to it: all requests ask here for it, each time anew. */
export interface ServiceEndpoint {
  locate(): Promise<ServiceAddress>;
  /** undefined: as any other service is connected to. */
  readonly open?: OpenConnection;
  /** undefined: it is not ours to start. */
  readonly waker?: Waker;
}

/** Tells which catalogue is asked, the configured one or the embedded one, and connects to it. */
export function createServiceEndpoint(settings: Settings): ServiceEndpoint {
  if (settings.baseUrl !== null) return configured(settings, settings.baseUrl);
  // Only where it is used: most servers have a service of their own.
  const embedded = async () => (await import('./embedded.ts')).createEmbedded(settings);
  let loading: ReturnType<typeof embedded> | undefined;
  const loaded = () => (loading ??= embedded());
  // Where it was once, something else may be by now.
  const hosts = new Set<string>();
  return {
    async locate() {
      const address = await (await loaded()).locate();
      hosts.add(new URL(address.baseUrl).host);
      return address;
    },
    open: (to, signal) =>
      hosts.has(`${to.hostname}:${to.port}`)
        ? loaded().then((there) => there.connect(Number(to.port), signal))
        : null,
    waker: {
      wake: async () => (await loaded()).wake(),
      keepAwake: async (lost) => (await loaded()).keepAwake(lost),
    },
  };
}

function configured(settings: Settings, baseUrl: string): ServiceEndpoint {
  const { origin } = new URL(baseUrl);
  const address = {
    baseUrl,
    authUrl: settings.authUrl ?? origin,
    assetOrigin: settings.assetUrl ?? origin,
    clientId: settings.clientId,
  };
  return { locate: async () => address };
}

/** The connection, the ledger and the mutations of the configured account, opened at their first use. */
export function createAccount(
  settings: Settings,
  endpoint: ServiceEndpoint,
  catalogue: NamedCatalogue,
  log: Log,
) {
  const storage = onceOpened(async () => {
    const { openStore } = await import('../store/open.ts');
    const { home, store } = settings;
    return openStore({ home, shared: store === null ? null : sharedStore(store) });
  });
  const wired = onceOpened(() => wire(settings, endpoint, catalogue, storage.get, log));
  return {
    /** Made at the first use: reading the public catalogue needs no store. */
    parts: wired.get,
    /** Opened at the first use of either. */
    store: async (): Promise<Marks> => (await storage.get()).marks,
    hasStore: (): boolean => settings.store !== null || existsSync(storeFile(settings.home)),
    close: async (): Promise<void> => {
      const parts = await wired.opened();
      await parts?.mutations.close();
      await Promise.all([parts?.connections.close(), parts?.owned.close()]);
      (await storage.opened())?.close();
    },
  };
}

async function wire(
  settings: Settings,
  endpoint: ServiceEndpoint,
  catalogue: NamedCatalogue,
  storage: () => Promise<Store>,
  log: Log,
): Promise<AccountParts> {
  const [
    { createConnections },
    { createPendingSignIn },
    { connectionRows },
    { createOwned },
    { createDispatchers },
    { createMutations },
    { createKeptCopies, createUploadFiles },
    { createLedger },
    { holdersOfMachine },
    { nameOfAccount, ownRecords, ownState },
  ] = await Promise.all([
    import('../connection/connections.ts'),
    import('../connection/pending-sign-in.ts'),
    import('../connection/rows.ts'),
    import('../catalogue/owned.ts'),
    import('../http/dispatchers.ts'),
    import('../mutations/mutations.ts'),
    import('./files.ts'),
    import('../ledger/open-ledger.ts'),
    import('../store/lease.ts'),
    import('../curation/own.ts'),
  ]);
  // One for all calls: it knows this process by one name.
  const connectionStore = onceOpened(async () => {
    const opened = await storage();
    return { ...opened, rows: connectionRows(opened.sql), holders: holdersOfMachine() };
  });
  const connections = createConnections({
    locate: () => registeredApp(settings, endpoint),
    user: settings.user,
    storage: connectionStore.get,
    connect: () => createDispatchers({ connections: 1, open: endpoint.open }),
    waker: endpoint.waker,
    userAgent,
  });
  const owned = createOwned({
    locate: endpoint.locate,
    open: endpoint.open,
    userAgent,
    access: {
      bearer: (signal) => connections.bearer({ signal }),
      rejected: (token, signal) => connections.onUnauthorized(token, { signal }),
      accepted: ({ token }) => connections.onAccepted(token.reveal()),
    },
  });
  const service = async () => (await endpoint.locate()).baseUrl;
  // One for all calls: it knows which of the entries this process works on.
  const ledger = onceOpened(async () =>
    createLedger({ store: await storage(), holders: holdersOfMachine(), clock: systemClock }),
  );
  const machine = settings.store === null ? undefined : nameOfMachine(settings.home);
  const mutations = createMutations({
    service: async () => ({ baseUrl: await service(), embedded: settings.baseUrl === null }),
    user: settings.user,
    ledger: ledger.get,
    connections,
    owned,
    catalogue,
    async send(request, call) {
      const outcome = await catalogue.send(request, call);
      if (outcome.outcome === 'applied' && request.bearer !== null) connections.onAccepted(request.bearer);
      return outcome;
    },
    files: createUploadFiles(settings.uploadRoots),
    copies: await createKeptCopies(settings.home, async () => (await storage()).id, machine),
    clock: systemClock,
    log,
  });
  const sharing = settings.store === null ? null : await import('./left-behind.ts');
  const account = async () => {
    try {
      const holder = await connections.holder();
      return holder === null ? null : nameOfAccount(holder);
    } catch (error) {
      // If no app is registered, no account can be connected.
      if (error instanceof ArtworkError && error.category === 'not_connected') return null;
      throw error;
    }
  };
  const owner = async () => ({ service: await service(), user: settings.user, account: await account() });
  return {
    connections,
    signIns: createPendingSignIn(connections),
    owned,
    mutations:
      sharing?.tellingLeftBehind(mutations, async () => sharing.findLeftBehind(settings, await service())) ??
      mutations,
    account,
    records: async (namespace) => ownRecords((await storage()).sql, namespace, await owner()),
    state: async (name) => ownState((await storage()).marks, await owner(), name),
  };
}

/** How people find the kept bytes of one of several machines, which may have the same name. */
function nameOfMachine(home: string): string {
  return `${hostname()} (data folder ${home})`;
}

/** What a file of the settings lacks is told at the call that needs it. */
function sharedStore(store: SharedStoreSetting): SharedStore {
  const url = () => {
    try {
      return store.url();
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      throw new ArtworkError('internal', error.message, {
        code: 'store.unreachable',
        next: {
          why: 'A person mends the file that the message names; then the same call can be made again.',
        },
      });
    }
  };
  return { ...store, url };
}

async function registeredApp(settings: Settings, endpoint: ServiceEndpoint) {
  const { baseUrl, authUrl, clientId } = await endpoint.locate();
  if (clientId === null) {
    // Asked only here: the embedded catalogue that this program starts itself comes with its app.
    const { ownAppAt } = await import('../sandbox/launch.ts');
    const own = await ownAppAt(baseUrl);
    throw new ArtworkError('not_connected', 'No registered app is configured for this service.', {
      code: 'client_id_missing',
      next: {
        why:
          own === null
            ? `A person registers an app in the account's Apps area at ${authUrl}, with the callback ${settings.redirectUri}, and sets ARTWORK_CLIENT_ID.`
            : `A person sets ARTWORK_CLIENT_ID=${own.clientId}: at ${baseUrl} an embedded catalogue answers, and that is its own app, which needs no registering.`,
      },
    });
  }
  return {
    baseUrl,
    authUrl,
    clientId,
    clientSecret: settings.clientSecret,
    redirectUri: settings.redirectUri,
  };
}

/** Opens at the first use; a failed opening is tried again by the next. */
function onceOpened<Value>(open: () => Promise<Value>) {
  let opening: Promise<Value> | undefined;
  return {
    get: (): Promise<Value> => {
      const current = opening ?? open();
      opening = current;
      current.catch(() => {
        if (opening === current) opening = undefined;
      });
      return current;
    },
    /** What was opened, or undefined where nothing was. Never rejects. */
    opened: (): Promise<Value | undefined> =>
      opening === undefined ? Promise.resolve(undefined) : opening.catch(() => undefined),
  };
}
