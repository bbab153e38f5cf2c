import type { Fate } from '../../src/catalogue/fate.ts';
import { readUploadStatus } from '../../src/catalogue/records/upload-status.ts';
import type { SendRequest } from '../../src/catalogue/send.ts';
import { type Memory, obtainBearer } from '../../src/connections/bearer.ts';
import type { Bearer, ConnectionId, UsableGrant } from '../../src/connections/grant.ts';
import { connectionKey } from '../../src/connections/key.ts';
import { movePointer } from '../../src/connections/pointer.ts';
import type { Clock, Io } from '../../src/connections/ports.ts';
import { Secret } from '../../src/connections/secret.ts';
import { readAccount } from '../../src/connections/status.ts';
import type { TokenService } from '../../src/connections/token-service.ts';
import { ArtworkError } from '../../src/errors.ts';
import { openLedger } from '../../src/ledger/open.ts';
import type { Log } from '../../src/log.ts';
import { createMutations } from '../../src/mutations/create.ts';
import type { Mutations } from '../../src/mutations/mutations.ts';
import type { MutationPorts, OwnedReads } from '../../src/mutations/ports.ts';
import { type Disk, nameOf, type Store } from './disk.ts';
import { fault, type Network } from './network.ts';
import type { Random } from './random.ts';
import type { Actor, Scheduler } from './scheduler.ts';
import type { Service } from './service.ts';

/** What every process lives in. */
export interface World {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly disk: Disk;
  readonly network: Network;
  readonly service: Service;
  readonly alive: Set<string>;
}

/** A mistake, planted where the production modules of one process touch the world. */
export interface Planted {
  readonly store?: (store: Store) => Store;
  readonly send?: (send: (request: SendRequest) => Promise<Fate>) => (request: SendRequest) => Promise<Fate>;
  readonly owned?: (owned: OwnedReads) => OwnedReads;
  readonly tokens?: (service: TokenService) => TokenService;
}

/** The production modules, run by one process of the simulated world. */
export interface Process {
  readonly actor: Actor;
  /** Whether the call may send again what nobody knows the fate of. */
  call(mayRepeat: boolean): Mutations;
}

const key = connectionKey('https://catalogue.example', 'app', 'default');
const connection = '0123456789abcdef0123456789abcdef' as ConnectionId;
const scopes = ['assets:write', 'assets:replace', 'sets:write', 'groups:write', 'relationships:write'];
const silent: Log = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} };
const started = Date.UTC(2026, 0, 1);

export function startProcess(world: World, name: string, plant: Planted): Process {
  const { scheduler, disk, network, alive } = world;
  const actor: Actor = { name, alive: true };
  alive.add(name);
  const plain = disk.store(scheduler, actor);
  const store = plant.store?.(plain) ?? plain;
  const clock: Clock = {
    now: () => started + scheduler.time,
    monotonic: () => scheduler.time,
    sleep: (milliseconds, signal) => scheduler.sleep(actor, milliseconds, signal),
  };
  const ledger = openLedger({
    store,
    now: clock.now,
    self: { machine: 'm', boot: 'b', pid: 1, started: name, instance: name },
    mayRun: async ({ instance }) => alive.has(instance),
  });
  const tokens = network.tokens(actor);
  const io: Io = {
    atomic: store,
    records: disk.records(scheduler, world.random, actor),
    service: plant.tokens?.(tokens) ?? tokens,
    clock,
    random: () => connection,
    log: silent,
  };
  const memory: Memory = { waiting: null, running: new Set() };
  const connections: MutationPorts['connections'] = {
    account: () => readAccount(io, key),
    bearer: ({ signal } = {}) => obtainBearer(io, key, memory, { rejected: null, signal }),
    onUnauthorized: (rejected, { signal } = {}) => obtainBearer(io, key, memory, { rejected, signal }),
  };
  const reads = ownedReads(world, actor, connections);
  const owned = plant.owned?.(reads) ?? reads;
  const isInLedger = (mutation: string) =>
    [...disk.entries.keys()].some((each) => each.startsWith('ledger/') && each.endsWith(mutation));

  return {
    actor,
    call(mayRepeat) {
      const send = (request: SendRequest) => network.send(actor, request, { mayRepeat, isInLedger });
      const ports: MutationPorts = {
        service: async () => ({ baseUrl: key.service, embedded: false }),
        user: key.user,
        ledger: async () => ledger,
        connections,
        owned,
        catalogue: { readEntity: () => Promise.reject(new TypeError('No upload asks for a target.')) },
        send: plant.send?.(send) ?? send,
        files: {
          open: async () => ({
            path: '/art/poster.png',
            filename: 'poster.png',
            contentType: 'image/png',
            contentLength: 4,
            sha256: 'ab'.repeat(32),
            warnings: [],
            body: () => Buffer.from('file'),
            close: async () => {},
          }),
        },
        kept: nothingKept,
        clock,
        log: silent,
      };
      return createMutations(ports);
    },
  };
}

/** Nothing of what is simulated keeps files. */
const nothingKept: MutationPorts['kept'] = {
  machine: 'm',
  newKeeper: () => 'nobody',
  requireRoom: async () => {},
  keep: async () => {},
  missing: async (_, files) => files,
  open: () => Promise.reject(new TypeError('nothing is kept')),
  release: async () => {},
  sweep: async () => {},
};

function ownedReads(
  { scheduler, random, service }: World,
  actor: Actor,
  connections: MutationPorts['connections'],
): OwnedReads {
  /** A GET with a bearer token; a 401 is answered with another one, once. */
  const get = async <Value>(what: string, read: () => Value): Promise<Value> => {
    let bearer: Bearer = await connections.bearer();
    for (let renewed = false; ; renewed = true) {
      const heard = await scheduler.io(actor, `read ${what}`, () => {
        if (random.chance(service.faults.readFails)) throw fault('reset');
        return service.accepts(bearer.token.reveal()) ? { value: read() } : null;
      });
      if (random.chance(0.2)) await scheduler.io(actor, `hear of ${what}`, () => {});
      if (heard !== null) return heard.value;
      if (renewed)
        throw new ArtworkError('reconnect_required', 'The token is not accepted.', { status: 401 });
      bearer = await connections.onUnauthorized(bearer);
    }
  };
  return {
    readAsset: () => get('asset', () => ({ id: '', ...service.asset() })),
    readGroup: (id) =>
      get('group', () => {
        const group = service.group(String(id));
        if (group === null) throw new ArtworkError('not_found', 'There is no such group.', { status: 404 });
        return { id: '', ...group };
      }),
    findUploadDestinations: ({ q }) => get('groups', () => service.groups(q ?? '')),
    findAssetUpload: (id) =>
      get(`upload ${id.slice(-2)}`, () => {
        const upload = service.upload(id);
        return upload === null ? null : readUploadStatus({ data: upload });
      }),
    readSet: () => Promise.reject(new ArtworkError('not_found', 'There are no Sets here.')),
    findSubmission: async () => null,
    readRelationships: async () => ({ items: [], nextPage: null }),
  };
}

let pointer: string | null = null;

/** The connection as a sign-in leaves it. */
export async function signIn(disk: Disk): Promise<void> {
  const grant: UsableGrant = {
    flaw: null,
    accessToken: new Secret('access-1'),
    refreshToken: new Secret('refresh-1'),
    expiresAt: null,
    lifetime: null,
    scopes,
    subject: 'owner',
    account: null,
    signedInAt: started,
    renewedAt: started,
  };
  disk.grants.set(nameOf({ connection, generation: 1 }), grant);
  pointer ??= await pointerText();
  disk.entries.set(key.pointer, { key: key.pointer, value: pointer, version: 1 });
}

async function pointerText(): Promise<string> {
  let text = '';
  const io: Io = {
    atomic: {
      get: async () => null,
      putIfAbsent: async (at, value) => {
        text = value;
        return { won: true, current: { key: at, value, version: 1 } };
      },
      compareAndSet: async () => ({ outcome: 'absent' }),
      scan: async () => [],
    },
    records: {
      write: async () => {},
      read: async () => null,
      remove: async () => {},
      list: async () => [],
    },
    service: {
      prepare: async () => {},
      renew: async () => ({ fate: 'refused' }),
      revoke: async () => ({ fate: 'revoked' }),
    },
    clock: { now: () => started, monotonic: () => 0, sleep: async () => {} },
    random: () => connection,
    log: silent,
  };
  await movePointer(io, key, null, { state: 'active', connection, generation: 1 });
  return text;
}
