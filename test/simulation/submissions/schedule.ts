import { deadlineIn } from '../../../src/deadline.ts';
import { Access } from '../access.ts';
import { type Call, type End, type Following, follow } from '../agent.ts';
import { Disk } from '../disk.ts';
import { type Faults, noFaults, Reached, type Weather } from '../faults.ts';
import { misfortunesOfMachine, ownDraws, planMisfortunes } from '../misfortunes.ts';
import { Network } from '../network.ts';
import { type Random, seeded } from '../random.ts';
import { Scheduler } from '../scheduler.ts';
import type { Ran } from '../schedule.ts';
import { signIn, signInAgain } from '../sign-in.ts';
import { isOpen, wrongEnd } from './ends.ts';
import { KeptCopies } from './kept-copies.ts';
import { misfortunesOfSubmissions } from './misfortunes.ts';
import { OwnedSet } from './owned-set.ts';
import { Folder } from './pictures.ts';
import { type Planted, type Process, startProcess, type World } from './process.ts';
import { Submissions } from './service.ts';
import { type Habits, habitsOf } from './submission.ts';
import { Watch } from './watch.ts';
import { type Wish, wishOf } from './wishes.ts';

const faults: Faults = {
  notSent: 0.03,
  lost: 0.05,
  delayed: 0.09,
  answerLost: 0.07,
  answerLate: 0.03,
  brokenAfter: 0.04,
  brokenBefore: 0.04,
  redirected: 0.02,
  refused: 0.04,
  turnedAwayAfter: 0.05,
  readFails: 0.04,
  slowProcessing: 0.3,
  clockOff: 0.3,
};

/** How many calls a follower makes while everything goes wrong, and how many it may need once nothing does. */
const calls = { storm: 10, calm: 40 };
/** For how long a call is waited for, ms. */
const hostMs = 45_000;

export interface History {
  readonly seed: number;
  plant(): Planted;
  readonly traced: boolean;
}

interface Play {
  readonly world: World;
  readonly habits: Habits;
  readonly wishes: readonly Wish[];
  readonly heard: Set<string>;
  plant(): Planted;
}

/** One seeded history of several processes that make the same submissions, then a quiet end that settles them. */
export async function runSubmissions({ seed, plant, traced }: History): Promise<Ran> {
  const random = seeded(seed);
  const mishaps = { kill: 0.05, kills: random.below(4), stall: 0.03, stalls: random.below(3) };
  const reached = new Reached();
  const reach = reached.note;
  const scheduler = new Scheduler(random, mishaps, traced ? [] : null, reach);
  const time = () => scheduler.time;
  const wishes = wishesOf(random);
  const alive = new Set<string>();
  const watch = new Watch(
    () => ({ step: scheduler.steps, time: scheduler.time }),
    (process) => alive.has(process),
  );
  const weather: Weather = { faults };
  const access = new Access(random, time);
  const habits = habitsOf(random);
  const set = new OwnedSet();
  const service = new Submissions({ random, watch, weather, access, habits, set, time, reach });
  watch.knows(service, habits.words === 'plain' || habits.words === 'worded');
  const disk = new Disk();
  disk.written = (entry) => watch.written(entry);
  disk.reach = reach;
  const presents = (token: string) => watch.presents(token);
  const network = new Network({ scheduler, random, weather, access, presents, reach });
  const folder = new Folder();
  for (const { pictures } of wishes) for (const picture of pictures.values()) folder.put(picture);
  const world: World = {
    ...{ scheduler, random, disk, network, access, weather, service, set, watch, folder, reach },
    ...{ alive, copies: new KeptCopies(), resuming: new Set(), servers: new Set() },
  };
  const own = ownDraws(seed);
  await signIn(disk, own.chance(0.85));
  const heard = new Set<string>();
  const play: Play = { world, habits, wishes, heard, plant };
  let kills = 0;
  scheduler.note(`the service: ${JSON.stringify(habits)}`);

  planMisfortunes(world, misfortunesOfSubmissions(world, wishes, plant));
  planMisfortunes({ ...world, random: own }, misfortunesOfMachine({ ...world, random: own }));
  for (const { clientMutationId } of wishes) {
    if (random.chance(0.08)) service.takeId(clientMutationId, random.pick(['another', 'begun', 'completed']));
  }
  await storm(play, () => {
    kills += 1;
  });
  weather.faults = noFaults;
  mishaps.kills = 0;
  mishaps.stalls = 0;
  await calm(play);

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

/** Two edits of one Set are in each other's way. */
function wishesOf(random: Random): Wish[] {
  const kinds = random.pick<readonly Wish['kind'][]>([
    ['creation'],
    ['creation'],
    ['edit'],
    ['edit'],
    ['creation', 'edit'],
    ['edit', 'edit'],
  ]);
  return kinds.map((kind, index) => wishOf(kind, index, random));
}

/** Everything goes wrong: processes make the changes side by side, die, and others come in their place. */
async function storm({ world, wishes, plant, heard }: Play, killed: () => void): Promise<void> {
  const { scheduler, random, alive, reach } = world;
  const clock = { monotonic: () => scheduler.time };
  const running = new Set<string>();
  let born = 0;
  let toStart = 0;
  const start = () => {
    born += 1;
    const name = `p${born}`;
    running.add(name);
    const process = startProcess(world, name, plant());
    const order = random.chance(0.5) ? wishes : wishes.toReversed();
    const late = born > 2;
    void live(process, order, late).then(() => running.delete(name));
  };
  const live = async (process: Process, order: readonly Wish[], late: boolean) => {
    const patience = () => {
      const deadlineMs = random.pick([3_000, 3_000, 10_000, hostMs]);
      if (!random.chance(0.05)) return { deadline: deadlineIn(deadlineMs, undefined, clock) };
      const giveUp = new AbortController();
      scheduler.after(random.below(30_000), process.actor, () => {
        reach('a call is given up');
        giveUp.abort('given up');
      });
      return { deadline: deadlineIn(deadlineMs, giveUp.signal, clock) };
    };
    for (const wish of order) {
      const first = late && random.chance(0.5) ? resumeOf(wish) : wish;
      await follow(following(world, process, heard, patience), first, calls.storm);
    }
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

/** Nothing goes wrong any more: what is left is delivered, and every submission comes to an end. */
async function calm({ world, habits, wishes, plant, heard }: Play): Promise<void> {
  const { scheduler, random, watch, alive, disk, access, copies } = world;
  scheduler.note('all is well from now on');
  if (random.chance(0.5)) {
    scheduler.onKilled((actor) => alive.delete(actor.name));
    for (const actor of [...scheduler.actors]) scheduler.kill(actor);
  }
  await signInAgain(disk, access);
  if (random.chance(0.5)) copies.bringBack();
  await runUntil(world, () => false);
  const process = startProcess(world, 'last', plant());
  const settleOne = async (wish: Wish): Promise<End> => {
    const last = following(world, process, heard, () => ({
      deadline: deadlineIn(hostMs, undefined, { monotonic: () => scheduler.time }),
    }));
    const end = await follow(last, random.pick([wish, wish, resumeOf(wish), statusOf(wish)]), calls.calm);
    // Where it ended at a person, the person has mended what there was to mend, and goes on.
    return isOpen(end) ? follow(last, resumeOf(wish), calls.calm) : end;
  };
  let over = false;
  void (async () => {
    for (const wish of wishes) {
      const wrong = wrongEnd(world, habits, wish, await settleOne(wish));
      if (wrong !== null) watch.violated(wrong);
    }
    over = true;
  })();
  await runUntil(world, () => over);
  if (!over) watch.violated('a follower waits for ever');
}

function resumeOf({ clientMutationId, expectedUpdatedAt }: Wish): Call {
  return { tool: 'resume_mutation', arguments: { clientMutationId, expectedUpdatedAt } };
}

function statusOf({ clientMutationId }: Wish): Call {
  return { tool: 'get_mutation_status', arguments: { clientMutationId } };
}

function following(
  { scheduler, watch }: World,
  { actor, mutations }: Process,
  heard: Set<string>,
  patience: Following['patience'],
): Following {
  return {
    process: { actor, call: () => mutations },
    scheduler,
    heard,
    patience,
    tells: (answer, began) => watch.told(actor.name, answer, began),
  };
}

async function runUntil({ scheduler, watch }: World, isOver: () => boolean): Promise<void> {
  if (!(await scheduler.run(isOver))) watch.violated('it does not end');
}
