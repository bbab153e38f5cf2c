import { ArtworkError } from '../../../src/errors.ts';
import { type Random, seeded } from '../random.ts';
import type { Ran } from '../run-schedules.ts';
import { Scheduler } from '../scheduler.ts';
import { type LifeProcess, type LifeWorld, type PlantedLife, startLife } from './process.ts';
import { type Family, lifetimeMs, StrictService } from './service.ts';

export interface LifeHistory {
  readonly seed: number;
  readonly traced: boolean;
  /** Made anew for each process. */
  plant(): PlantedLife;
}

/**
 * The life of one connection: several processes call, renew, sign in and disconnect, requests are lost and late,
 * processes die, and the person ends the app on the service, which takes every token that comes again for stolen.
 * What must never happen: that a refresh token is presented twice, or that a sign-in on a calm day does not live. On a
 * rough one it may take one more: in fair weather, while nobody disconnects, no connection is ended by a token of another
 * one, and none is lost.
 */
export async function runLife({ seed, traced, plant }: LifeHistory): Promise<Ran> {
  const random = seeded(seed);
  const isFair = random.chance(0.25);
  const mishaps = { kill: 0.02, kills: isFair ? 0 : random.below(4), stall: 0, stalls: 0, delay: 0 };
  const scheduler = new Scheduler(random, mishaps, traced ? [] : null);
  const violations: string[] = [];
  const violated = (what: string) => void violations.push(`step ${scheduler.steps}: ${what}`);
  const outcomes = new Set<string>();
  const ended = new Set<Family>();
  const presented = new Map<string, number>();
  const service = new StrictService((family, by) => {
    scheduler.note(`a token of ${by.name} ends ${family.name}`);
    ended.add(family);
    if (isFair && inUse() === family) violated(`${family.name} is ended by a token of ${by.name}`);
  });
  const world: LifeWorld = {
    scheduler,
    random,
    store: { seen: { version: 0, row: null } },
    service,
    weather: { losses: isFair ? 0 : random.pick([0, 0.05, 0.15]) },
    presents(token) {
      const open = presented.get(token) ?? 0;
      if (open > 0) violated(`refresh token ${token} is presented twice`);
      presented.set(token, open + 1);
      return () => presented.set(token, (presented.get(token) ?? 1) - 1);
    },
    written() {
      const family = inUse();
      if (isFair && family !== undefined && ended.has(family))
        violated(`${family.name} is connected, and was ended by a token of another sign-in`);
    },
  };
  function inUse(): Family | undefined {
    const { row } = world.store.seen;
    if (row === null || (row.state !== 'active' && row.state !== 'uncertain')) return undefined;
    const [, , plain] = JSON.parse(row.sealed);
    return service.familyOf(JSON.parse(plain).refresh);
  }

  const hear = (actor: string, said: string) => {
    outcomes.add(said);
    scheduler.note(`${actor} hears ${said}`);
    if (isFair && said === 'reconnect_required') violated('a connection is lost without need');
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
      service.revokeThere('mira');
    });
  }
  const runUntil = async (isOver: () => boolean) => {
    if (!(await scheduler.run(isOver))) violated('it does not end');
  };
  await runUntil(() => running === 0);

  // Nothing goes wrong any more: a person signs in, and the connection works; then it ends, and all others with it.
  world.weather.losses = 0;
  mishaps.kills = 0;
  await runUntil(() => false);
  const last = startLife(world, 'last', plant());
  let family: Family | undefined;
  const end = { said: '' };
  void (async () => {
    await last.signIn('mira');
    if (!(await last.use())) violated('the last sign-in is not alive');
    family = inUse();
    end.said = await last.disconnect();
  })().catch((error: unknown) => {
    end.said = String(error);
  });
  await runUntil(() => end.said !== '');
  if (end.said !== 'disconnected') violated(`the last disconnect ends ${end.said}`);
  if (family === undefined || service.living().includes(family)) violated('a disconnected sign-in is alive');
  return {
    seed,
    steps: scheduler.steps,
    kills,
    violations,
    outcomes,
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
        await process.signIn(random.chance(0.85) ? 'mira' : 'noor');
        note('signed in');
      } else if (what === 3 && !isFair) {
        note(await process.disconnect());
      } else {
        note((await process.use()) ? 'used' : 'not used');
      }
    } catch (error) {
      if (!(error instanceof ArtworkError)) throw error;
      note(error.code);
    }
    // Often several wake at the same moment, and find the token at its end.
    const together = lifetimeMs - (scheduler.time % lifetimeMs);
    await scheduler.sleep(
      process.actor,
      random.pick([random.below(20_000), random.below(700_000), together]),
    );
  }
}
