import { deadlineIn } from '../../src/deadline.ts';
import { Access } from './access.ts';
import { type End, type Following, follow, tell, type Wish, type WishKind, wishOf } from './agent.ts';
import { Disk } from './disk.ts';
import { type Faults, noFaults, Reached, type Weather } from './faults.ts';
import { fillDisk, misfortunesOfMachine, ownDraws, planMisfortunes } from './misfortunes.ts';
import { Network } from './network.ts';
import { type Planted, type Process, startProcess, type World } from './process.ts';
import { type Random, seeded } from './random.ts';
import { Scheduler } from './scheduler.ts';
import { assetId, Service } from './service.ts';
import { signIn, signInAgain } from './sign-in.ts';
import { Watch } from './watch.ts';

const faults: Faults = {
  notSent: 0.04,
  lost: 0.06,
  delayed: 0.08,
  answerLost: 0.08,
  answerLate: 0.03,
  brokenAfter: 0.05,
  brokenBefore: 0.04,
  redirected: 0.03,
  refused: 0.05,
  turnedAwayAfter: 0.05,
  readFails: 0.04,
  slowProcessing: 0.3,
  clockOff: 0.3,
};

/** How many calls a follower may need once nothing goes wrong any more; while it waits tokens still run out. */
const fewCalls = 20;

export interface Ran {
  readonly seed: number;
  readonly steps: number;
  readonly kills: number;
  readonly violations: readonly string[];
  /** Every outcome that anybody heard. */
  readonly outcomes: ReadonlySet<string>;
  /** How often what really happened. */
  readonly reached: ReadonlyMap<string, number>;
  readonly trace: readonly string[];
}

export interface History {
  readonly seed: number;
  plant(): Planted;
  /** The only kind of change that is made; without, any. */
  readonly only?: WishKind | undefined;
  readonly traced: boolean;
}

/** One seeded history of several processes that make the same changes, then a quiet end that settles them. */
export async function runSchedule({ seed, plant, only, traced }: History): Promise<Ran> {
  const random = seeded(seed);
  const mishaps = { kill: 0.03, kills: random.below(3), stall: 0.03, stalls: random.below(2) };
  let kills = 0;
  const reached = new Reached();
  const reach = reached.note;
  const scheduler = new Scheduler(random, mishaps, traced ? [] : null, reach);
  const time = () => scheduler.time;
  const alive = new Set<string>();
  const watch = new Watch(
    () => scheduler.steps,
    (process) => alive.has(process),
  );
  const weather: Weather = { faults };
  const access = new Access(random, time);
  const service = new Service(random, watch, time, weather, access, reach);
  const disk = new Disk();
  disk.written = (entry) => watch.written(entry, scheduler.time);
  disk.reach = reach;
  const presents = (token: string) => watch.presents(token);
  const network = new Network({ scheduler, random, weather, access, presents, reach });
  const world: World = { scheduler, random, disk, network, access, weather, service, watch, alive, reach };
  const own = ownDraws(seed);
  await signIn(disk, own.chance(0.85));
  const wishes = wishesOf(random, only);
  const heard = new Set<string>();
  const killed = () => {
    kills += 1;
  };

  scheduler.after(random.below(120_000), null, () => access.end());
  planOthers(world, wishes);
  const fill = { chance: 0.1, what: 'the disk is full for a while', happen: () => fillDisk(world) };
  planMisfortunes({ ...world, random: own }, [...misfortunesOfMachine({ ...world, random: own }), fill]);
  await storm(world, { wishes, plant, heard }, killed);
  weather.faults = noFaults;
  mishaps.kills = 0;
  mishaps.stalls = 0;
  await calm(world, { wishes, plant, heard });

  return {
    seed,
    steps: scheduler.steps,
    kills,
    violations: watch.violations,
    outcomes: heard,
    reached: reached.counts,
    trace: scheduler.trace ?? [],
  };
}

/** What others do on the service: with the same ids before, and to the same Assets meanwhile. */
function planOthers({ scheduler, random, service, watch }: World, wishes: readonly Wish[]): void {
  for (const wish of wishes) {
    if (wish.tool === 'create_group') continue;
    const { clientMutationId } = wish.arguments;
    if (wish.tool === 'upload_asset' && random.chance(0.15)) {
      service.takeId(clientMutationId);
      watch.isTaken(clientMutationId);
    }
    const asset = wish.tool === 'upload_asset' ? wish.arguments.previousAssetId : assetId;
    if (asset !== undefined && random.chance(0.3)) {
      scheduler.after(random.below(150_000), null, () => {
        scheduler.note('somebody else changes an Asset');
        service.change(asset);
      });
    }
  }
}

function wishesOf(random: Random, only: WishKind | undefined): Wish[] {
  const kinds = ['upload', 'replacement', 'create_group', 'edit_asset_metadata'] as const;
  return Array.from({ length: random.chance(0.3) ? 2 : 1 }, (_, index) =>
    wishOf(only ?? random.pick(kinds), index),
  );
}

/**
 * For how long a call is waited for, ms: short in the storm, so that calls answer while their work goes on; in the end
 * as long as hosts wait, since a holder that could not record its end looks alive for half a minute.
 */
const callMs = { storm: 3_000, calm: 45_000 };

interface Play {
  readonly wishes: readonly Wish[];
  plant(): Planted;
  readonly heard: Set<string>;
}

/** Everything goes wrong: processes make the changes side by side, die, and others come in their place. */
async function storm(world: World, { wishes, plant, heard }: Play, killed: () => void): Promise<void> {
  const { scheduler, random, alive } = world;
  const running = new Set<string>();
  let born = 0;
  let toStart = 0;
  const start = () => {
    born += 1;
    const name = `p${born}`;
    running.add(name);
    const process = startProcess(world, name, plant());
    const order = random.chance(0.5) ? wishes : wishes.toReversed();
    void live(process, order).then(() => running.delete(name));
  };
  const live = async (process: Process, order: readonly Wish[]) => {
    for (const wish of order) await follow(following(world, process, heard, callMs.storm), wish, 8);
  };
  scheduler.onKilled((actor) => {
    alive.delete(actor.name);
    running.delete(actor.name);
    killed();
    toStart += 1;
    scheduler.after(random.below(90_000), null, () => {
      toStart -= 1;
      start();
    });
  });
  start();
  start();
  await runUntil(world, () => running.size === 0 && toStart === 0);
}

/** Nothing goes wrong any more: what is left is delivered, and every change comes to an end. */
async function calm(world: World, { wishes, plant, heard }: Play): Promise<void> {
  const { watch, disk, access } = world;
  await runUntil(world, () => false);
  if (disk.signIns > 1 || access.account !== 'owner') await signInAgain(disk, access);
  const process = startProcess(world, 'last', plant());
  const ends: End[] = [];
  void (async () => {
    for (const wish of wishes) {
      ends.push(await follow(following(world, process, heard, callMs.calm), wish, fewCalls));
    }
  })();
  await runUntil(world, () => ends.length === wishes.length);
  if (ends.some(({ end }) => end !== 'ended') || ends.length < wishes.length) {
    watch.stuck('a follower does not come to an end');
  }
}

function following(
  { scheduler, watch }: World,
  process: Process,
  heard: Set<string>,
  callMs: number,
): Following {
  return {
    process,
    scheduler,
    heard,
    patience: () => ({
      deadline: deadlineIn(callMs, undefined, { monotonic: () => scheduler.time }),
    }),
    tells: (answer) => tell(watch, answer),
  };
}

async function runUntil({ scheduler, watch }: World, isOver: () => boolean): Promise<void> {
  if (!(await scheduler.run(isOver))) watch.stuck('it does not end');
}
