import type { Clock } from '../../src/clock.ts';
import { newMemory, obtainBearer, type Ports, readUsable } from '../../src/connection/renewal.ts';
import type { Bearer } from '../../src/connection/row.ts';
import { connectionRows } from '../../src/connection/rows.ts';

import { ArtworkError } from '../../src/errors.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import type { Log } from '../../src/log.ts';
import type { MutationPorts } from '../../src/mutations/ports.ts';
import type { LeaseIo } from '../../src/storage/lease.ts';
import type { Access } from './access.ts';
import type { Disk, Store } from './disk.ts';
import type { Weather } from './faults.ts';
import { fault, type Network } from './network.ts';
import type { Random } from './random.ts';
import type { Actor, Scheduler } from './scheduler.ts';

/** What every process lives in. */
export interface Surroundings {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly disk: Disk;
  readonly network: Network;
  readonly access: Access;
  readonly weather: Weather;
  /** The names of the processes that live. */
  readonly alive: Set<string>;
  reach(what: string): void;
}

/** A mistake, planted where the production modules that every process runs touch the world. */
export interface PlantedHost {
  readonly store?: (store: Store) => Store;
  readonly ledger?: (ledger: Ledger) => Ledger;
  readonly tokens?: (service: Ports['server']) => Ports['server'];
  /** Judges holders otherwise. */
  readonly mayRun?: (disk: Disk, clock: Clock) => LeaseIo['mayRun'];
  readonly connections?: (connections: MutationPorts['connections']) => MutationPorts['connections'];
  /** Whether the store's file was replaced is never asked. */
  readonly trustsFile?: boolean;
}

interface Reading<Value> {
  readonly signal?: AbortSignal | undefined;
  /** What another account is shown; left out: that there is no such thing. */
  readonly toStrangers?: () => Value;
}

/** The production modules that every process runs, whatever it changes. */
export interface Host {
  readonly actor: Actor;
  readonly ports: Pick<MutationPorts, 'service' | 'user' | 'ledger' | 'connections' | 'clock' | 'log'>;
  /** A GET with a bearer token; a 401 is answered with another one, once. */
  get<Value>(what: string, read: () => Value, how?: Reading<Value>): Promise<Value>;
}

export const key = { service: 'https://catalogue.example', person: 'default' };
export const started = Date.UTC(2026, 0, 1);
const silent: Log = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} };

/** How late the answer to a read may come, ms. */
const latestRead = 40_000;

/** How far apart two clocks may be, ms. */
const clockOff = 20 * 60_000;
/** When a clock is set at the latest, ms. */
const latestStep = 150_000;

export function startHost(world: Surroundings, name: string, plant: PlantedHost): Host {
  const { scheduler, random, disk, network, access, weather, alive, reach } = world;
  const actor = scheduler.newActor(name);
  alive.add(name);
  const plain = disk.store(scheduler, actor, plant.trustsFile);
  const store = plant.store?.(plain) ?? plain;
  // People and time servers set the clock of a machine: it may be minutes off, and jump.
  let ahead = random.chance(weather.faults.clockOff) ? random.below(clockOff) - clockOff / 2 : 0;
  if (random.chance(weather.faults.clockOff))
    scheduler.after(random.below(latestStep), actor, () => {
      ahead = random.below(clockOff) - clockOff / 2;
    });
  const clock: Clock = {
    now: () => started + scheduler.time + ahead,
    monotonic: () => scheduler.time,
    sleep: (milliseconds, signal) => scheduler.sleep(actor, milliseconds, signal),
  };
  const mayRun: LeaseIo['mayRun'] =
    plant.mayRun?.(disk, clock) ?? (async ({ instance }) => alive.has(instance));
  const opened = openLedger({
    store,
    clock,
    self: { machine: 'm', pid: 1, instance: name },
    mayRun,
  });
  const ledger = plant.ledger?.(opened) ?? opened;
  const tokens = network.tokens(actor);
  let drawn = 0;
  const io: Ports = {
    key,
    clientId: 'app',
    rows: connectionRows(store),
    seal: {
      seal: async (_of, _generation, plain) => plain,
      open: async (_of, _generation, sealed) => sealed,
    },
    server: plant.tokens?.(tokens) ?? tokens,
    clock,
    holders: { self: name, isGone: (holder) => !alive.has(holder) },
    random: () => `${name} ${++drawn}`,
  };
  const memory = newMemory();
  const asStored: MutationPorts['connections'] = {
    account: async () => (await readUsable(io)).row,
    bearer: ({ signal } = {}) => obtainBearer(io, memory, null, signal),
    async onUnauthorized(rejected, { signal } = {}) {
      try {
        const other = await obtainBearer(io, memory, rejected, signal);
        reach('another token after a 401');
        return other;
      } catch (error) {
        reach('no other token after a 401');
        throw error;
      }
    },
  };
  const connections = plant.connections?.(asStored) ?? asStored;

  return {
    actor,
    ports: {
      service: async () => ({ baseUrl: key.service, embedded: false }),
      user: key.person,
      ledger: async () => ledger,
      connections,
      clock,
      log: silent,
    },
    async get(what, read, { signal, toStrangers = notThere } = {}) {
      let bearer: Bearer = await connections.bearer({ signal });
      for (let renewed = false; ; renewed = true) {
        const heard = await scheduler.look(
          actor,
          () => `read ${what}`,
          () => {
            if (random.chance(weather.faults.readFails)) throw fault('reset');
            const token = bearer.token.reveal();
            if (!access.accepts(token)) return null;
            return { value: access.accountOf(token) === 'owner' ? read() : toStrangers() };
          },
        );
        if (random.chance(weather.faults.answerLate)) await clock.sleep(random.below(latestRead), signal);
        else if (random.chance(0.2))
          await scheduler.look(
            actor,
            () => `hear ${what}`,
            () => {},
          );
        if (signal?.aborted === true) throw new ArtworkError('cancelled', 'The call was cancelled.');
        if (heard !== null) return heard.value;
        if (renewed)
          throw new ArtworkError('reconnect_required', 'The token is not accepted.', { status: 401 });
        bearer = await connections.onUnauthorized(bearer);
      }
    },
  };
}

function notThere(): never {
  throw new ArtworkError('not_found', 'There is no such thing.', { status: 404 });
}
