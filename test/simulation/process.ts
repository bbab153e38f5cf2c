import { readUploadStatus } from '../../src/catalogue/records/owned.ts';
import type { SendRequest } from '../../src/catalogue/send.ts';
import { readSubmission } from '../../src/catalogue/submission.ts';
import type { Clock } from '../../src/clock.ts';
import { type Bearer, connectionId, Secret } from '../../src/connection/row.ts';
import type { Deadline } from '../../src/deadline.ts';
import { ArtworkError } from '../../src/errors.ts';
import { createLedger } from '../../src/ledger/open-ledger.ts';
import { createMutations } from '../../src/mutations/mutations.ts';
import type { Copies, MutationPorts, OwnedReads } from '../../src/mutations/ports.ts';
import type { Sql } from '../../src/store/sql.ts';
import { Accounts, type SignIn } from './accounts.ts';
import type { Process } from './agent.ts';
import { Disk } from './disk.ts';
import { Folder, openCopies, openFiles } from './folder.ts';
import { fault, Network } from './network.ts';
import type { Random } from './random.ts';
import { processOf } from './record.ts';
import type { Actor, Scheduler } from './scheduler.ts';
import { Service } from './service.ts';
import { type Sending, type Step, Watch } from './watch.ts';
import { type Habits, Weather } from './weather.ts';
import type { Wish } from './wishes.ts';

/** What every process lives in. */
export interface World {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly weather: Weather;
  readonly habits: Habits;
  readonly accounts: Accounts;
  readonly disk: Disk;
  readonly folder: Folder;
  readonly network: Network;
  readonly service: Service;
  readonly watch: Watch;
  /** Those that people have open. */
  readonly servers: Set<Process>;
}

/** A world in which nothing was sent yet, and no process runs. */
export async function openWorld(
  parts: Pick<World, 'scheduler' | 'random' | 'habits'> & { readonly wishes: readonly Wish[] },
): Promise<World> {
  const { scheduler, random, habits, wishes } = parts;
  const time = () => scheduler.time;
  const watch = new Watch(() => ({ step: scheduler.steps, time: scheduler.time }), wishes);
  const weather = new Weather(random);
  const accounts = new Accounts(random, time, random.chance(0.85));
  const service = new Service({ random, watch, weather, habits, accounts, time });
  watch.knows({
    submissionOf: (mutation) => service.submissions.of(mutation),
    outcomeOf: (mutation) => service.submissions.outcomeOf(mutation),
    isForeign: (mutation) => service.isForeign(mutation),
    isAlive: (name) => [...scheduler.actors].some((actor) => actor.name === name && !actor.stalled),
    tellsFiles: habits.words === 'plain' || habits.words === 'worded',
  });
  const folder = new Folder();
  for (const { pictures } of wishes) for (const picture of pictures.values()) folder.put(picture);
  const network = new Network({ scheduler, random, weather });
  const disk = await Disk.open();
  const head = { scheduler, random, habits, weather, accounts, service, watch, folder, network, disk };
  return { ...head, servers: new Set() };
}

/** A mistake, planted where the production modules of one process touch the world. */
export interface Planted {
  readonly sql?: (sql: Sql) => Sql;
  readonly clock?: (clock: Clock) => Clock;
  readonly ledger?: (ledger: Ledger) => Ledger;
  readonly send?: (send: Send) => Send;
  readonly owned?: (owned: OwnedReads) => OwnedReads;
  readonly copies?: (copies: Copies, folder: Folder) => Copies;
  readonly connections?: (connections: Connections) => Connections;
}

export type Send = MutationPorts['send'];
type Ledger = Awaited<ReturnType<MutationPorts['ledger']>>;
type Connections = MutationPorts['connections'];

const started = Date.UTC(2026, 0, 1);
/** How late the answer to a read may come, ms. */
const latestRead = 40_000;
/** How far apart two clocks may be, and when one is set at the latest, ms. */
const clockOff = { far: 20 * 60_000, at: 150_000 };
const scopes = ['assets:write', 'assets:replace', 'sets:write', 'groups:write', 'relationships:write'];

/** Starts a program: the production modules, with the simulated world under them. */
export function startProcess(world: World, name: string, plant: Planted): Process {
  const { scheduler, folder, disk } = world;
  const actor = scheduler.newActor(name);
  const plainClock = clockOf(world, actor);
  const clock = plant.clock?.(plainClock) ?? plainClock;
  const store = disk.reachedBy(actor, world);
  const holders = {
    self: name,
    isGone: (holder: string) =>
      ![...scheduler.actors].some(({ name: living }) => living === processOf(holder)),
  };
  const opened = createLedger({
    store: { id: disk.id, place: 'memory', sql: plant.sql?.(store) ?? store },
    holders,
    clock,
  });
  const ledger = plant.ledger?.(opened) ?? opened;
  const plainConnections = connectionsOf(world, actor);
  const connections = plant.connections?.(plainConnections) ?? plainConnections;
  const reads = ownedReads(world, actor, clock, connections);
  const copies = openCopies(folder, scheduler, actor);
  const send: Send = (request, deadline) =>
    world.network.send(actor, passageOf(world, actor, request, deadline));
  const mutations = createMutations({
    service: async () => ({ baseUrl: 'https://catalogue.example', embedded: false }),
    user: 'default',
    ledger: async () => ledger,
    connections,
    owned: plant.owned?.(reads) ?? reads,
    catalogue: {
      readEntity: () => Promise.reject(new TypeError('Nobody asks for kinds that are not named.')),
      nameOf: () => null,
    },
    send: plant.send?.(send) ?? send,
    files: openFiles(folder, scheduler, actor),
    copies: plant.copies?.(copies, folder) ?? copies,
    clock,
    log: { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} },
  });
  const process = { actor, mutations };
  world.servers.add(process);
  return process;
}

/** People and time servers set the clock of a machine: it may be minutes off, and jump. */
function clockOf({ scheduler, random, weather }: World, actor: Actor): Clock {
  const drawn = () => random.below(clockOff.far) - clockOff.far / 2;
  let ahead = weather.happens('clockOff') ? drawn() : 0;
  if (weather.happens('clockOff'))
    scheduler.after(random.below(clockOff.at), actor, () => {
      ahead = drawn();
    });
  return {
    now: () => started + scheduler.time + ahead,
    monotonic: () => scheduler.time,
    sleep: (milliseconds, signal) => scheduler.sleep(actor, milliseconds, signal),
  };
}

/** The connection that is stored, as one process reaches it. How tokens are renewed is no part of this. */
function connectionsOf({ scheduler, random, weather, accounts }: World, actor: Actor): Connections {
  const bearerOf = ({ connection, generation, token, subject }: SignIn): Bearer => ({
    connection: connectionId.parse(connection),
    ...{ generation, subject, scopes, token: new Secret(token) },
  });
  return {
    account: () =>
      scheduler.look(actor, 'read account', () => {
        const { connection, subject } = bearerOf(accounts.current);
        return { connection, subject, scopes };
      }),
    bearer: () => scheduler.look(actor, 'read bearer', () => bearerOf(accounts.current)),
    onUnauthorized: (rejected) =>
      scheduler.io(actor, 'renew bearer', () => {
        if (accounts.current.token !== rejected.token.reveal()) return bearerOf(accounts.current);
        if (weather.happens('notRenewed')) {
          throw random.pick([
            fault('reset'),
            new ArtworkError('reconnect_required', 'Sign in again.', { status: 401 }),
          ]);
        }
        return bearerOf(accounts.renew(weather.isCalm));
      }),
  };
}

/** A request, which its process is about to send. */
function passageOf(world: World, actor: Actor, request: SendRequest, { signal }: Deadline) {
  const { watch, service, accounts } = world;
  const line = { ...lineOf(world, request), process: actor.name };
  const began = world.scheduler.steps;
  let sending: Sending | null = null;
  let lacking: ReadonlySet<string> | null = null;
  const sent = () => {
    if (sending === null) throw new TypeError('It arrives and has not left.');
    return sending;
  };
  return {
    step: line.step,
    what: `${line.mutation.slice(-2)} ${line.item?.slice(-2) ?? ''}`,
    gate: request.gate,
    signal,
    begin: () => watch.begins(line),
    leave() {
      const account = accounts.accountOf(request.bearer ?? '');
      sending = watch.leaves({ ...line, account }, String(request.body));
    },
    arrive(again: boolean) {
      const answer = service.post(request, sent(), again);
      const namesLacking = answer.issues !== undefined && answer.issues.length > 0;
      if (namesLacking) lacking = service.submissions.lacks(line.mutation, Number.POSITIVE_INFINITY);
      return answer;
    },
    heard(outcome: Awaited<ReturnType<Send>>) {
      if (sending === null) return;
      const isTurnedAway = outcome.outcome === 'refused' && [401, 429].includes(outcome.status);
      sending.isTurnedAway = isTurnedAway;
      const isConflict = outcome.outcome === 'refused' && outcome.status === 409;
      // A 409 may come after the effect, like a 401 and a 429, but for that of a completion.
      const mayBeApplied = isTurnedAway || (isConflict && line.step !== 'completion');
      if (outcome.outcome === 'not_sent' || (outcome.outcome === 'refused' && !mayBeApplied))
        sending.isOpen = false;
      // A receipt that shows the items tells what the service calls those of which it has nothing.
      if (line.step === 'admission' && outcome.outcome === 'applied' && showsItems(outcome.body))
        watch.looked(actor.name, line.mutation, { asked: began, fits: true });
      if (lacking !== null && isConflict)
        watch.looked(actor.name, line.mutation, { asked: began, fits: true, lacking });
    },
  };
}

function showsItems(receipt: unknown): boolean {
  return readSubmission(receipt, 'creation').items.length > 0;
}

function lineOf(
  world: World,
  { path, query, body }: SendRequest,
): Pick<Sending, 'step' | 'mutation' | 'item'> {
  const { service } = world;
  const [, , family, id = '', last] = path.split('/');
  const ofSubmission = service.submissions.byId(id)?.mutation ?? '';
  const sent = (): { readonly clientMutationId: string; readonly languageCode: string } =>
    JSON.parse(String(body));
  const line = (step: Step, mutation: string, item: string | null = null) => ({ step, mutation, item });
  if (path === '/me/assets') return line('upload', String(query?.clientMutationId));
  if (path === '/me/groups') return line('group', sent().clientMutationId);
  if (family === 'groups') return line('group edit', sent().clientMutationId);
  if (family === 'assets') return line('metadata', sent().languageCode);
  if (last === 'assets') return line('transfer', ofSubmission, String(query?.itemId));
  if (last === 'complete') return line('completion', ofSubmission);
  return line('admission', sent().clientMutationId);
}

/** What a process reads of the service, with a bearer token; a 401 is answered with another one, once. */
function ownedReads(world: World, actor: Actor, clock: Clock, connections: Connections): OwnedReads {
  const { scheduler, random, weather, accounts, service, watch } = world;
  const { owned, submissions } = service;

  /** Each read sees the service as of some time. */
  async function get<Value>(
    what: string,
    deadline: Deadline | undefined,
    toStrangers: () => Value,
    read: (at: number) => Value,
  ): Promise<Value> {
    let bearer = await connections.bearer({ signal: deadline?.signal });
    for (let renewed = false; ; renewed = true) {
      const heard = await scheduler.look(
        actor,
        () => `read ${what}`,
        () => {
          if (weather.happens('readFails')) throw fault('reset');
          const token = bearer.token.reveal();
          if (!accounts.accepts(token)) return null;
          const isOwner = accounts.accountOf(token) === 'owner';
          return { value: isOwner ? read(service.seenAt()) : toStrangers() };
        },
      );
      if (weather.happens('answerLate')) await clock.sleep(random.below(latestRead), deadline?.signal);
      else if (random.chance(0.2)) await scheduler.look(actor, `hear ${what}`, () => {});
      if (deadline?.signal.aborted === true) throw new ArtworkError('cancelled', 'The call was cancelled.');
      if (heard !== null) return heard.value;
      if (renewed)
        throw new ArtworkError('reconnect_required', 'The token is not accepted.', { status: 401 });
      bearer = await connections.onUnauthorized(bearer);
    }
  }

  /** Reads something whose revision is compared, and tells the watch what its process was shown. */
  async function compared<Thing extends object>(
    what: string,
    first: string,
    deadline: Deadline | undefined,
    read: (at: number) => Thing | null,
  ): Promise<Thing> {
    const asked = scheduler.steps;
    const found = await get(what, deadline, () => null, read);
    if (found === null) throw new ArtworkError('not_found', 'There is no such thing.', { status: 404 });
    watch.looked(actor.name, what, { asked, fits: 'updatedAt' in found && found.updatedAt === first });
    return found;
  }

  return {
    readAsset: (id, deadline) => compared(String(id), 'a1', deadline, (at) => owned.asset(String(id), at)),
    readSet: (_, deadline) => compared('set', 's1', deadline, (at) => owned.set(at)),
    readGroup: (id, deadline) =>
      compared('group', 'g1', deadline, (at) => {
        const group = service.group(String(id), at);
        return group === null ? null : { id: String(id), ...group };
      }),
    findUploadDestinations: ({ q }, deadline) =>
      get(
        'groups',
        deadline,
        () => [],
        (at) => service.groups(q, at).map((each) => ({ ...each })),
      ),
    readRelationships: async () => ({ items: [], nextPage: null }),
    async findAssetUpload(id, deadline) {
      const asked = scheduler.steps;
      const found = await get(
        `upload ${id.slice(-2)}`,
        deadline,
        () => null,
        (at) => service.upload(id, at),
      );
      watch.looked(actor.name, id, { asked, fits: found === null });
      return found === null ? null : readUploadStatus({ data: found });
    },
    async findSubmission(kind, id, deadline) {
      const asked = scheduler.steps;
      const seen = await get(
        `submission ${id}`,
        deadline,
        () => null,
        (at) => {
          const submission = submissions.byId(id);
          if (submission === null || submission.at > at) return null;
          const lacking = submissions.lacks(submission.mutation, at);
          const text = JSON.stringify({ data: { submission: submissions.record(submission, at) } });
          return { mutation: submission.mutation, lacking, text };
        },
      );
      if (seen === null) return null;
      watch.looked(actor.name, seen.mutation, { asked, fits: true, lacking: seen.lacking });
      return readSubmission(JSON.parse(seen.text), kind);
    },
  };
}
