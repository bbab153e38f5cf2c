import { type End, follow, type Wish, wishOf } from './agent.ts';
import { Disk } from './disk.ts';
import { Network } from './network.ts';
import { type Planted, type Process, signIn, startProcess, type World } from './process.ts';
import { type Random, seeded } from './random.ts';
import { Scheduler, settle } from './scheduler.ts';
import { type Faults, noFaults, Service } from './service.ts';
import { Watch } from './watch.ts';

const faults: Faults = {
  notSent: 0.04,
  lost: 0.06,
  delayed: 0.08,
  answerLost: 0.08,
  brokenAfter: 0.05,
  brokenBefore: 0.04,
  refused: 0.05,
  readFails: 0.04,
  slowProcessing: 0.3,
};

/** Longer than any schedule takes; reaching it is a violation. */
const mostSteps = 20_000;
/** How many calls a follower may need once nothing goes wrong any more. */
const fewCalls = 8;

export interface Ran {
  readonly seed: number;
  readonly steps: number;
  readonly kills: number;
  readonly violations: readonly string[];
  /** Every outcome that anybody heard. */
  readonly outcomes: ReadonlySet<string>;
  readonly trace: readonly string[];
}

export interface History {
  readonly seed: number;
  plant(): Planted;
  /** The only kind of change that is made; without, any. */
  readonly only?: Wish['tool'] | undefined;
  readonly traced: boolean;
}

/** One seeded history of several processes that make the same changes, then a quiet end that settles them. */
export async function runSchedule({ seed, plant, only, traced }: History): Promise<Ran> {
  const random = seeded(seed);
  const mishaps = { kill: 0.012, kills: random.below(3) };
  let kills = 0;
  const scheduler = new Scheduler(random, mishaps, traced ? [] : null);
  const watch = new Watch(() => scheduler.steps);
  const service = new Service(random, watch, () => scheduler.time);
  const disk = new Disk();
  const network = new Network(scheduler, random, service, watch);
  const world: World = { scheduler, random, disk, network, service, alive: new Set() };
  await signIn(disk);
  const wishes = wishesOf(random, only);
  const heard = new Set<string>();
  const killed = () => {
    kills += 1;
  };

  service.faults = faults;
  scheduler.after(random.below(120_000), null, () => service.endAccess());
  await storm(world, { watch, wishes, plant, heard }, killed);
  service.faults = noFaults;
  mishaps.kills = 0;
  await calm(world, { watch, wishes, plant, heard });

  return {
    seed,
    steps: scheduler.steps,
    kills,
    violations: watch.violations,
    outcomes: heard,
    trace: scheduler.trace ?? [],
  };
}

function wishesOf(random: Random, only: Wish['tool'] | undefined): Wish[] {
  const kinds = ['upload_asset', 'create_group', 'edit_asset_metadata'] as const;
  return Array.from({ length: random.chance(0.3) ? 2 : 1 }, (_, index) =>
    wishOf(only ?? random.pick(kinds), index),
  );
}

interface Play {
  readonly watch: Watch;
  readonly wishes: readonly Wish[];
  plant(): Planted;
  readonly heard: Set<string>;
}

/** Everything goes wrong: processes make the changes side by side, die, and others come in their place. */
async function storm(world: World, { watch, wishes, plant, heard }: Play, killed: () => void): Promise<void> {
  const { scheduler, random, alive } = world;
  let running = 0;
  let born = 0;
  const start = () => {
    born += 1;
    running += 1;
    const process = startProcess(world, `p${born}`, plant());
    const order = random.chance(0.5) ? wishes : wishes.toReversed();
    void live(process, order).then(() => {
      running -= 1;
    });
  };
  const live = async (process: Process, order: readonly Wish[]) => {
    for (const wish of order) await follow({ process, watch, scheduler, heard }, wish, 8);
  };
  scheduler.onKilled((actor) => {
    alive.delete(actor.name);
    killed();
    scheduler.after(random.below(90_000), null, () => {
      running -= 1;
      start();
    });
  });
  start();
  start();
  await runUntil(world, watch, () => running === 0);
}

/** Nothing goes wrong any more: what is left is delivered, and every change comes to an end. */
async function calm(world: World, { watch, wishes, plant, heard }: Play): Promise<void> {
  const { scheduler } = world;
  await runUntil(world, watch, () => false);
  const process = startProcess(world, 'last', plant());
  const ends: End[] = [];
  void (async () => {
    for (const wish of wishes) {
      ends.push(await follow({ process, watch, scheduler, heard }, wish, fewCalls));
    }
  })();
  await runUntil(world, watch, () => ends.length === wishes.length);
  if (ends.some((end) => end !== 'ended') || ends.length < wishes.length) {
    watch.stuck('a follower does not come to an end');
  }
}

async function runUntil({ scheduler }: World, watch: Watch, isOver: () => boolean): Promise<void> {
  await settle();
  while (!isOver()) {
    if (!scheduler.step()) return;
    await settle();
    if (scheduler.steps > mostSteps) {
      watch.stuck('it does not end');
      return;
    }
  }
}
