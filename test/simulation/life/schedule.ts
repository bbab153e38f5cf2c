import { ArtworkError } from '../../../src/errors.ts';
import { type Random, seeded } from '../random.ts';
import { type Ran, Reached } from '../run-schedules.ts';
import { Scheduler } from '../scheduler.ts';
import { type LifeProcess, type LifeWorld, type PlantedLife, startLife } from './process.ts';
import { type Family, lifetimeMs, StrictService } from './service.ts';
import { Disk, key, Watch } from './world.ts';

export interface LifeHistory {
  readonly seed: number;
  readonly traced: boolean;
  /** Made anew for each process. */
  plant(): PlantedLife;
}

interface StoredPointer {
  readonly pointer: { readonly state: string; readonly connection?: string };
}

/**
 * The life of one connection: several processes call, renew, sign in and disconnect, requests are lost and late,
 * processes die, and the person ends the app on the service, which takes every token that comes again for stolen.
 * What must never happen: that a refresh token is presented twice, or that a sign-in on a calm day does not live. On a
 * rough one it may take one more: in fair weather, while nobody disconnects, no connection is ended by a token of another one.
 */
export async function runLife({ seed, traced, plant }: LifeHistory): Promise<Ran> {
  const random = seeded(seed);
  const isFair = random.chance(0.25);
  const mishaps = { kill: 0.02, kills: isFair ? 0 : random.below(4), stall: 0, stalls: 0, delay: 0 };
  const reached = new Reached();
  const scheduler = new Scheduler(random, mishaps, traced ? [] : null, reached.note);
  const watch = new Watch(() => scheduler.steps);
  const outcomes = new Set<string>();
  const ended = new Set<Family>();
  const families = new Map<string, Family>();
  const disk = new Disk();
  const inUse = (): Family | undefined => {
    const entry = disk.entries.get(key.pointer);
    if (entry === undefined) return undefined;
    const { pointer }: StoredPointer = JSON.parse(entry.value);
    const isUsed = pointer.state === 'active' || pointer.state === 'uncertain';
    return isUsed ? families.get(pointer.connection ?? '') : undefined;
  };
  const service = new StrictService((family, by) => {
    reached.note('theft seen');
    scheduler.note(`a token of ${by.name} ends ${family.name}`);
    ended.add(family);
    if (isFair && inUse() === family) watch.stuck(`${family.name} is ended by a token of ${by.name}`);
  });
  disk.written = (entry) => {
    const family = entry.key === key.pointer ? inUse() : undefined;
    if (isFair && family !== undefined && ended.has(family)) {
      watch.stuck(`${family.name} is connected, and was ended by a token of another sign-in`);
    }
  };
  const weather = { losses: isFair ? 0 : random.pick([0, 0.05, 0.15]) };
  const world: LifeWorld = {
    scheduler,
    random,
    disk,
    service,
    watch,
    weather,
    families,
    reach: reached.note,
  };

  const hear = (actor: string, said: string) => {
    outcomes.add(said);
    scheduler.note(`${actor} hears ${said}`);
    if (isFair && said === 'reconnect_required') watch.stuck('a connection is lost without need');
  };
  let kills = 0;
  let running = 0;
  let born = 0;
  const start = () => {
    born += 1;
    running += 1;
    const process = startLife(world, `p${born}`, plant());
    void live(process, random, scheduler, isFair, hear).then(() => {
      running -= 1;
    });
  };
  scheduler.onKilled(() => {
    kills += 1;
    scheduler.after(random.below(60_000), null, () => {
      running -= 1;
      start();
    });
  });
  for (let count = 2 + random.below(2); count > 0; count -= 1) start();
  for (let times = isFair ? 0 : random.below(3); times > 0; times -= 1) {
    scheduler.after(random.below(1_500_000), null, () => {
      scheduler.note('the app is ended in the Apps area');
      reached.note('ended in the Apps area');
      service.revokeThere('mira');
    });
  }
  const runUntil = async (isOver: () => boolean) => {
    if (!(await scheduler.run(isOver))) watch.stuck('it does not end');
  };
  await runUntil(() => running === 0);

  // Nothing goes wrong any more: a person signs in, and the connection works; then it ends, and all others with it.
  weather.losses = 0;
  mishaps.kills = 0;
  await runUntil(() => false);
  const last = startLife(world, 'last', plant());
  const end = { said: '' };
  void (async () => {
    await last.signIn('mira', true);
    if (!(await last.use())) watch.stuck('the last sign-in is not alive');
    const { outcome } = await last.disconnect();
    end.said = outcome;
  })().catch((error: unknown) => {
    end.said = String(error);
  });
  await runUntil(() => end.said !== '');
  if (end.said !== 'disconnected') watch.stuck(`the last disconnect ends ${end.said}`);
  if (isFair && disk.grants.size > 0) watch.stuck('tokens are kept that nothing names');
  return {
    seed,
    steps: scheduler.steps,
    kills,
    violations: watch.violations,
    outcomes,
    reached: reached.counts,
    trace: scheduler.trace ?? [],
  };
}

/** What one process does in its life: mostly calls. */
async function live(
  process: LifeProcess,
  random: Random,
  scheduler: Scheduler,
  isFair: boolean,
  hear: (actor: string, said: string) => void,
): Promise<void> {
  for (let act = 0; act < 6; act += 1) {
    const note = (said: string) => hear(process.actor.name, said);
    try {
      const what = random.below(10);
      if (what < 3) {
        await process.signIn(random.chance(0.85) ? 'mira' : 'noor', random.chance(0.8));
        note('signed in');
      } else if (what === 3 && !isFair) {
        note((await process.disconnect()).outcome);
      } else {
        note((await process.use()) ? 'used' : 'not used');
      }
    } catch (error) {
      if (!(error instanceof ArtworkError)) throw error;
      note(error.code);
    }
    // Often several wake at the same moment, and find the token at its end.
    const together = lifetimeMs - (scheduler.time % lifetimeMs);
    const pause = random.pick([random.below(20_000), random.below(700_000), together]);
    await scheduler.sleep(process.actor, pause);
  }
}
