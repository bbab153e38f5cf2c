import { readUploadStatus } from '../../src/catalogue/records/owned.ts';
import type { SendOutcome } from '../../src/catalogue/send.ts';
import type { OwnedReads } from '../../src/mutations/ports.ts';
import { connectionId } from '../../src/connection/row.ts';
import { ArtworkError } from '../../src/errors.ts';
import type { UserScope } from '../../src/ledger/entry.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { StoredValue } from '../../src/storage/atomic-store.ts';
import type { WishKind } from './agent.ts';
import type { Store } from './disk.ts';
import type { Planted } from './process.ts';

/** A mistake, made where the production modules touch the world. */
export interface Plant {
  readonly name: string;
  /** What must be said of it. */
  readonly caught: RegExp;
  /** The one kind of change that shows it, where others only take time. */
  readonly only?: WishKind;
  /** Made anew for each process. */
  plant(): Planted;
}

export const plants: readonly Plant[] = [
  { name: 'the claim is written after sending', caught: /not in the ledger/, plant: claimAfterSending },
  {
    name: 'the ledger is read, then written',
    caught: /sent a second time/,
    only: 'create_group',
    plant: readThenWrite,
  },
  {
    name: 'a lost answer is tried again',
    caught: /sent a second time/,
    plant: () => retryWhere((outcome) => outcome.outcome === 'unknown' && outcome.status === null),
  },
  {
    name: 'a 503 is tried again',
    caught: /sent a second time/,
    plant: () => retryWhere((outcome) => outcome.outcome === 'unknown' && outcome.status === 503),
  },
  {
    name: 'a lookup that says 404 means failed',
    only: 'upload',
    caught: /was told that it was not/,
    plant: notFoundIsFailed,
  },
  {
    name: 'what the service has under the id is taken for what was refused',
    only: 'upload',
    caught: /what is there is another's/,
    plant: conflictIsFound,
  },
  {
    name: 'a request is repeated without comparing its revision',
    only: 'replacement',
    caught: /repeated over a moved revision/,
    plant: blindToRevisions,
  },
  {
    name: 'a redirect means refused',
    caught: /is called refused and is applied/,
    plant: redirectIsRefusal,
  },
  {
    name: 'a 401 or 429 means that nothing was applied',
    caught: /is called refused and is applied/,
    plant: turnedAwayIsRefusal,
  },
  {
    name: 'what was turned away is sent again at once',
    caught: /was turned away and applied, and is sent again/,
    plant: () => ({
      send: (send) => async (request) => {
        const outcome = await send(request);
        return isTurnedAway(outcome) ? send(request) : outcome;
      },
    }),
  },
  {
    name: 'what a cut list does not show was not created',
    only: 'create_group',
    caught: /was turned away and applied, and is sent again/,
    plant: () => ({ owned: takingListsForWhole }),
  },
  {
    name: 'what a list does not show yet was not created',
    only: 'create_group',
    caught: /was turned away and applied, and is sent again/,
    plant: () => ({ owned: takingListsForFresh }),
  },
  {
    name: 'an id belongs to a sign-in',
    only: 'create_group',
    caught: /sent a second time/,
    plant: () => ({ ledger: ofEachSignIn }),
  },
  {
    name: 'whose account it is is never asked',
    caught: /sent for another account/,
    plant: whoeverSignsIn,
  },
  {
    name: 'a store that was replaced is written all the same',
    only: 'create_group',
    caught: /sent a second time/,
    plant: () => ({ trustsFile: true }),
  },
  {
    name: 'what a full disk did not take counts as written',
    only: 'create_group',
    caught: /is called not_sent and is applied|sent a second time/,
    plant: () => ({ store: believingWrites }),
  },
  { name: 'a refresh token is not claimed', caught: /presented twice/, plant: noRefreshClaim },
  { name: 'a refresh without an answer is tried again', caught: /presented twice/, plant: retryRefresh },
];

const isLedger = (key: string) => key.startsWith('ledger/');

function isTurnedAway(outcome: SendOutcome): outcome is Extract<SendOutcome, { outcome: 'refused' }> {
  return outcome.outcome === 'refused' && [401, 429].includes(outcome.status);
}

/** Of a list that is cut first, what was not searched for is left out. */
function takingListsForWhole(owned: OwnedReads): OwnedReads {
  return {
    ...owned,
    async findUploadDestinations(query, call) {
      const found = await owned.findUploadDestinations(query, call);
      return query.q === undefined ? found : found.filter(({ title }) => title === query.q);
    },
  };
}

/** The same list again, however much later it is asked for. */
function takingListsForFresh(owned: OwnedReads): OwnedReads {
  const first = new Map<string, ReturnType<OwnedReads['findUploadDestinations']>>();
  return {
    ...owned,
    findUploadDestinations(query, call) {
      const asked = first.get(String(query.q)) ?? owned.findUploadDestinations(query, call);
      first.set(String(query.q), asked);
      return asked;
    },
  };
}

/** Each sign-in has a ledger of its own. */
function ofEachSignIn(ledger: Ledger): Ledger {
  const own = <Scope extends UserScope>(scope: Scope): Scope =>
    'connection' in scope ? { ...scope, user: `${scope.user} ${String(scope.connection)}` } : scope;
  return {
    ...ledger,
    claim: (scope, entry) => ledger.claim(own(scope), entry),
    acquire: (scope, id) => ledger.acquire(own(scope), id),
    conclude: (scope, id, said) => ledger.conclude(own(scope), id, said),
    countLookup: (scope, id) => ledger.countLookup(own(scope), id),
    preempt: (scope, id, error) => ledger.preempt(own(scope), id, error),
    read: (scope, id) => ledger.read(own(scope), id),
    findOpen: (scope, keywords) => ledger.findOpen(own(scope), keywords),
    findDone: (scope, keywords, most) => ledger.findDone(own(scope), keywords, most),
    list: (scope, filter) => ledger.list(own(scope), filter),
  };
}

function whoeverSignsIn(): Planted {
  const first = { subject: 'owner', connection: connectionId.parse('0'.repeat(32)) };
  return {
    connections: (connections) => ({
      account: async () => ({ ...(await connections.account()), ...first }),
      bearer: async (call) => ({ ...(await connections.bearer(call)), ...first }),
      onUnauthorized: async (rejected, call) => ({
        ...(await connections.onUnauthorized(rejected, call)),
        ...first,
      }),
    }),
  };
}

function believingWrites(store: Store): Store {
  const believe =
    <Value>(otherwise: Value) =>
    (error: unknown) => {
      if (error instanceof ArtworkError && error.code === 'store_full') return otherwise;
      throw error;
    };
  return {
    ...store,
    putIfAbsent: (key, value) =>
      store.putIfAbsent(key, value).catch(believe({ won: true, current: { key, value, version: 1 } })),
    compareAndSet: (key, version, value) => {
      const current = { key, value, version: version + 1 };
      return store.compareAndSet(key, version, value).catch(believe({ outcome: 'swapped', current }));
    },
  };
}

/** As any other refusal, which is final. */
function turnedAwayIsRefusal(): Planted {
  return {
    send: (send) => async (request) => {
      const outcome = await send(request);
      return isTurnedAway(outcome) ? { ...outcome, status: 400 } : outcome;
    },
  };
}

function readThenWrite(): Planted {
  return {
    store: (store) => ({
      ...store,
      async putIfAbsent(key, value) {
        if (!isLedger(key)) return store.putIfAbsent(key, value);
        const there = await store.get(key);
        if (there !== null) return { won: false, current: there };
        return { won: true, current: await store.put(key, value) };
      },
      async compareAndSet(key, version, value) {
        if (!isLedger(key)) return store.compareAndSet(key, version, value);
        const there = await store.get(key);
        if (there === null) return { outcome: 'absent' };
        if (there.version !== version) return { outcome: 'changed', current: there };
        return { outcome: 'swapped', current: await store.put(key, value) };
      },
    }),
  };
}

function retryWhere(isLost: (outcome: SendOutcome) => boolean): Planted {
  return {
    send: (send) => async (request) => {
      const outcome = await send(request);
      return isLost(outcome) ? send(request) : outcome;
    },
  };
}

function notFoundIsFailed(): Planted {
  // Before anything is sent the service is asked as well, and what it knows then is another's.
  let isSent = false;
  return {
    send: (send) => async (request) => {
      isSent = true;
      return send(request);
    },
    owned: (owned) => ({
      ...owned,
      findAssetUpload: async (id, call) => {
        const upload = await owned.findAssetUpload(id, call);
        const failed = { clientMutationId: id, processingStatus: 'failed' };
        return upload === null && isSent ? readUploadStatus(failed) : upload;
      },
    }),
  };
}

function conflictIsFound(): Planted {
  let reads: OwnedReads | null = null;
  return {
    owned(owned) {
      reads = owned;
      return owned;
    },
    send: (send) => async (request) => {
      const outcome = await send(request);
      if (outcome.outcome !== 'refused' || outcome.status !== 409) return outcome;
      const upload = await reads?.findAssetUpload(String(request.query?.clientMutationId)).catch(() => null);
      return upload ? { outcome: 'applied', status: 200, body: { data: upload.record } } : outcome;
    },
  };
}

function blindToRevisions(): Planted {
  return {
    owned: (owned) => ({
      ...owned,
      readAsset: async (id, call) => ({ ...(await owned.readAsset(id, call)), updatedAt: 'r1' }),
    }),
  };
}

function redirectIsRefusal(): Planted {
  return {
    send: (send) => async (request) => {
      const outcome = await send(request);
      const { status } = outcome.outcome === 'unknown' ? outcome : { status: null };
      if (outcome.outcome !== 'unknown' || status === null || status < 300 || status >= 400) return outcome;
      return { outcome: 'refused', status, error: outcome.error };
    },
  };
}

function noRefreshClaim(): Planted {
  return {
    store: (store) => ({
      ...store,
      async compareAndSet(key, version, value) {
        const swap = await store.compareAndSet(key, version, value);
        if (!key.startsWith('connection/') || swap.outcome === 'absent') return swap;
        return { ...swap, outcome: 'swapped' };
      },
    }),
  };
}

function retryRefresh(): Planted {
  return {
    tokens: (service) => ({
      ...service,
      async renew(token, of) {
        const renewal = await service.renew(token, of);
        return renewal.outcome === 'unknown' ? service.renew(token, of) : renewal;
      },
    }),
  };
}

/** The ledger's writes stay in the process until the service has answered. */
function claimAfterSending(): Planted {
  const unwritten = new Map<string, StoredValue>();
  let disk: Store | null = null;
  return {
    store(store) {
      disk = store;
      return {
        ...store,
        get: async (key) => unwritten.get(key) ?? (await store.get(key)),
        async putIfAbsent(key, value) {
          if (!isLedger(key)) return store.putIfAbsent(key, value);
          const there = unwritten.get(key) ?? (await store.get(key));
          if (there !== null) return { won: false, current: there };
          const current = { key, value, version: 1 };
          unwritten.set(key, current);
          return { won: true, current };
        },
        async compareAndSet(key, version, value) {
          const there = unwritten.get(key);
          if (there === undefined) return store.compareAndSet(key, version, value);
          if (there.version !== version) return { outcome: 'changed', current: there };
          const current = { key, value, version: version + 1 };
          unwritten.set(key, current);
          return { outcome: 'swapped', current };
        },
      };
    },
    send: (send) => async (request) => {
      const outcome = await send(request);
      for (const { key, value } of unwritten.values()) await disk?.put(key, value);
      unwritten.clear();
      return outcome;
    },
  };
}
