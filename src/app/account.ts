import { hostname } from 'node:os';
import { createOwned } from '../catalogue/owned.ts';
import { systemClock as clock } from '../clock.ts';
import { createConnections } from '../connection/connections.ts';
import { createPendingSignIn } from '../connection/pending-sign-in.ts';
import { connectionRows } from '../connection/rows.ts';
import { nameOfAccount, ownRecords, ownState } from '../curation/own.ts';
import { ArtworkError } from '../errors.ts';
import { createDispatchers } from '../http/dispatchers.ts';
import { holdersOfMachine } from '../ledger/lease.ts';
import { createLedger } from '../ledger/open-ledger.ts';
import type { Log } from '../log.ts';
import type { AccountParts } from '../mcp/context.ts';
import type { NamedCatalogue } from '../model/target-names.ts';
import { createMutations } from '../mutations/mutations.ts';
import type { Settings } from '../settings.ts';
import type { Store } from '../store/open.ts';
import { userAgent } from '../version.ts';
import { registeredApp, type ServiceEndpoint } from './endpoint.ts';
import { createKeptCopies, createUploadFiles } from './files.ts';
import { once } from './once.ts';

/** What the account's parts are wired from. */
export interface Around {
  readonly settings: Settings;
  readonly endpoint: ServiceEndpoint;
  readonly catalogue: NamedCatalogue;
  readonly log: Log;
}

/** Wires what acts for an account. Loaded with the first call that needs one. */
export async function wireAccount(
  { settings, endpoint, catalogue, log }: Around,
  store: () => Promise<Store>,
): Promise<AccountParts> {
  const { user, home, uploadRoots } = settings;
  const { open, wake } = endpoint;
  const service = async () => (await endpoint.locate()).baseUrl;
  // One each for all calls: by these a process knows which renewals and changes are its own.
  const connectionStore = once(async () => {
    const opened = await store();
    return { ...opened, rows: connectionRows(opened.sql), holders: holdersOfMachine() };
  });
  const ledger = once(async () => createLedger({ store: await store(), holders: holdersOfMachine(), clock }));
  const connections = createConnections({
    locate: () => registeredApp(settings, endpoint),
    storage: connectionStore.get,
    connect: () => createDispatchers({ connections: 1, open }),
    ...{ user, wake, userAgent },
  });
  const owned = createOwned({
    locate: endpoint.locate,
    access: {
      bearer: (signal) => connections.bearer({ signal }),
      rejected: (token, signal) => connections.onUnauthorized(token, { signal }),
      accepted: ({ token }) => connections.onAccepted(token.reveal()),
    },
    ...{ open, userAgent },
  });
  const storeId = async () => (await store()).id;
  const mutations = createMutations({
    service: async () => ({ baseUrl: await service(), embedded: settings.baseUrl === null }),
    ledger: ledger.get,
    async send(request, deadline) {
      const outcome = await catalogue.send(request, deadline);
      if (outcome.outcome === 'applied' && request.bearer !== null) connections.onAccepted(request.bearer);
      return outcome;
    },
    files: createUploadFiles(uploadRoots),
    copies: createKeptCopies(home, uploadRoots, storeId, nameOfMachine(settings)),
    ...{ user, connections, owned, catalogue, clock, log },
  });
  const account = async () => {
    try {
      const holder = await connections.holder();
      return holder === null ? null : nameOfAccount(holder);
    } catch (error) {
      // Without an app no account can be connected.
      if (error instanceof ArtworkError && error.failure === 'not_connected') return null;
      throw error;
    }
  };
  const owner = async () => ({ service: await service(), user, account: await account() });
  return {
    connections,
    signIns: createPendingSignIn(connections),
    owned,
    mutations,
    account,
    records: async (namespace) => ownRecords((await store()).sql, namespace, await owner()),
    state: async (name) => ownState((await store()).marks, await owner(), name),
  };
}

/** How people find the machine that has the copies. Several may have the same host name. */
function nameOfMachine({ store, home }: Settings): string | undefined {
  return store === null ? undefined : `${hostname()} (data folder ${home})`;
}
