import { type Deadline, deadlineIn } from '../../src/deadline.ts';
import { type Call, type End, type Following, follow, type Process, resumeOf, statusOf } from './agent.ts';
import { isAtPerson, wrongEnd } from './ends.ts';
import { planMisfortunes } from './misfortunes.ts';
import { openWorld, type Planted, startProcess, type World } from './process.ts';
import { type Random, seeded } from './random.ts';
import type { Ran } from './run-schedules.ts';
import { Scheduler } from './scheduler.ts';
import { habitsOf } from './weather.ts';
import { singles, type Wish, type WishKind, wishOf } from './wishes.ts';

export interface History {
  readonly seed: number;
  readonly of: 'singles' | 'submissions';
  /** The only kind of change that is made; left out: any of these. */
  readonly only?: WishKind | undefined;
  /** A mistake, made anew for each process. */
  plant(): Planted;
  readonly traced: boolean;
}

/** How many calls a follower makes while everything goes wrong, and how many it may need once nothing does. */
const calls = { storm: 10, calm: 40 };
/** For how long a call is waited for, ms. */
const hostMs = 45_000;

interface Play {
  readonly world: World;
  readonly wishes: readonly Wish[];
  readonly heard: Set<string>;
  plant(): Planted;
}

/** One seeded history of several processes that make the same changes, then a quiet end that settles them. */
export async function runSchedule(history: History): Promise<Ran> {
  const { seed, of, plant, traced } = history;
  const random = seeded(seed);
  const isSubmissions = of === 'submissions';
  const mishaps = {
    ...{ kill: isSubmissions ? 0.05 : 0.03, kills: random.below(4) },
    ...{ stall: 0.03, stalls: random.below(3) },
  };
  const wishes = wishesOf(random, history);
  const scheduler = new Scheduler(random, mishaps, traced ? [] : null);
  const world = await openWorld({ scheduler, random, wishes, habits: habitsOf(random) });
  const { watch, weather } = world;
  const heard = new Set<string>();
  const play: Play = { world, wishes, heard, plant };
  let kills = 0;
  scheduler.note(`the service: ${JSON.stringify(world.habits)}`);
  planMisfortunes(world, wishes, plant);
  await weatherStorm(play, () => {
    kills += 1;
  });
  weather.isCalm = true;
  mishaps.kills = 0;
  mishaps.stalls = 0;
  await settleAll(play);
  return {
    ...{ seed, kills, steps: scheduler.steps, violations: watch.violations },
    ...{ outcomes: heard, trace: scheduler.trace ?? [] },
  };
}

/** One or two changes; or one, and the same again under another id. */
function wishesOf(random: Random, { of, only }: History): Wish[] {
  const kinds = of === 'singles' ? singles : (['creation', 'edit'] as const);
  const draw = (number: number) => ({
    kind: only ?? random.pick<WishKind>(kinds),
    content: { number, seed: random.below(1_000) },
  });
  const { kind, content } = draw(1);
  const first = wishOf(kind, 1, content);
  if (first.rests === null && random.chance(0.2)) return [first, wishOf(kind, 2, content, first.id)];
  const other = draw(2);
  return random.chance(0.3) ? [first, wishOf(other.kind, 2, other.content)] : [first];
}

/** Everything goes wrong: processes make the changes side by side, die, and others come in their place. */
async function weatherStorm({ world, wishes, plant, heard }: Play, killed: () => void): Promise<void> {
  const { scheduler, random } = world;
  const running = new Set<string>();
  let born = 0;
  let toStart = 0;
  const patience = (process: Process) => (): Deadline => {
    const clock = { monotonic: () => scheduler.time };
    const deadlineMs = random.pick([3_000, 3_000, 10_000, hostMs]);
    if (!random.chance(0.05)) return deadlineIn(deadlineMs, undefined, clock);
    const giveUp = new AbortController();
    scheduler.after(random.below(30_000), process.actor, () => {
      giveUp.abort('given up');
    });
    return deadlineIn(deadlineMs, giveUp.signal, clock);
  };
  const live = async (process: Process, order: readonly Wish[], isLate: boolean) => {
    for (const wish of order) {
      const first = isLate && random.chance(0.5) ? resumeOf(wish) : wish;
      await follow(following(world, process, heard, patience(process)), first, calls.storm);
    }
  };
  const start = () => {
    born += 1;
    const name = `p${born}`;
    running.add(name);
    const process = startProcess(world, name, plant());
    const order = random.chance(0.5) ? wishes : wishes.toReversed();
    void live(process, order, born > 2).then(() => running.delete(name));
  };
  scheduler.onKilled((actor) => {
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
async function settleAll({ world, wishes, plant, heard }: Play): Promise<void> {
  const { scheduler, random, watch, accounts, folder } = world;
  scheduler.note('all is well from now on');
  scheduler.onKilled(() => {});
  if (random.chance(0.5)) for (const actor of [...scheduler.actors]) scheduler.kill(actor);
  if (accounts.signIns > 1 || random.chance(0.5)) accounts.signIn('owner', true);
  world.disk.full = false;
  if (random.chance(0.5)) folder.bringBack();
  await runUntil(world, () => false);
  const process = startProcess(world, 'last', plant());
  const patience = () => deadlineIn(hostMs, undefined, { monotonic: () => scheduler.time });
  const last = following(world, process, heard, patience);
  const settleOne = async (wish: Wish): Promise<End> => {
    const first: Call = random.pick([wish, wish, resumeOf(wish), statusOf(wish)]);
    const end = await follow(last, first, calls.calm);
    // Where it ended at a person, the person has mended what there was to mend, and goes on.
    return isAtPerson(end) ? follow(last, resumeOf(wish), calls.calm) : end;
  };
  const over = { isOver: false };
  void (async () => {
    for (const wish of wishes) {
      const wrong = wrongEnd(world, wish, await settleOne(wish));
      if (wrong !== null) watch.violated(wrong);
    }
    over.isOver = true;
  })();
  await runUntil(world, () => over.isOver);
  if (!over.isOver) watch.violated('a follower waits for ever');
}

function following(
  { scheduler, watch }: World,
  process: Process,
  heard: Set<string>,
  patience: () => Deadline,
): Following {
  return { process, scheduler, watch, heard, patience };
}

async function runUntil({ scheduler, watch }: World, isOver: () => boolean): Promise<void> {
  if (!(await scheduler.run(isOver))) watch.violated('it does not end');
}
