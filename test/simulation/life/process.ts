import { type Disconnection, endConnection } from '../../../src/connections/disconnect.ts';
import type { Io, Renewal, Revocation, Secret, UsableGrant } from '../../../src/connections/grant.ts';
import { type Memory, obtainBearer } from '../../../src/connections/renewal.ts';
import { completeSignIn } from '../../../src/connections/sign-in/complete.ts';
import { ArtworkError } from '../../../src/errors.ts';
import type { Random } from '../random.ts';
import type { Actor, Scheduler } from '../scheduler.ts';
import { type Family, lifetimeMs, type StrictService } from './service.ts';
import { type Disk, key, started, type Watch } from './world.ts';

export interface LifeWorld {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly disk: Disk;
  readonly service: StrictService;
  readonly watch: Watch;
  /** How likely a request or its answer is lost, 0 to 1. */
  readonly weather: { losses: number };
  /** Which sign-in on the service a connection here is of. */
  readonly families: Map<string, Family>;
  reach(what: string): void;
}

/** A mistake, planted where the modules meet the world. */
export type PlantedLife = (io: Io) => Io;

export interface LifeProcess {
  readonly actor: Actor;
  /** Makes a call as a host does. Answers whether the service took its token. */
  use(): Promise<boolean>;
  signIn(person: string, told: boolean): Promise<void>;
  disconnect(): Promise<Disconnection>;
}

/** How long a request is waited for; none arrives later than that. */
const requestMs = 30_000;

export function startLife(world: LifeWorld, name: string, plant: PlantedLife): LifeProcess {
  const { scheduler, random, disk, service } = world;
  const actor = scheduler.newActor(name);
  const records = disk.records(scheduler, random, actor);
  const plain: Io = {
    key,
    atomic: disk.store(scheduler, actor),
    records: {
      ...records,
      write(of, place, grant) {
        const family = service.familyOf(grant.refreshToken?.reveal() ?? '');
        if (family !== null) world.families.set(place.connection, family);
        return records.write(of, place, grant);
      },
    },
    service: {
      prepare: async () => {},
      renew: (token: Secret) => {
        const unsent = world.watch.presents(token.reveal());
        return travel<Renewal>(world, actor, `renew ${token.reveal()}`, () => service.renew(token.reveal()), {
          notSent: () => {
            unsent();
            return { outcome: 'not_consumed', proof: { why: 'not_sent', code: null, retryAfterMs: null } };
          },
          lost: { outcome: 'unknown', code: 'ECONNRESET' },
        });
      },
      revoke: (token: Secret) => {
        const failed: Revocation = { outcome: 'failed', why: 'network', code: null };
        const effect = () => service.revoke(token.reveal());
        return travel(world, actor, `revoke ${token.reveal()}`, effect, {
          notSent: () => failed,
          lost: failed,
        });
      },
    },
    clock: {
      now: () => started + scheduler.time,
      monotonic: () => scheduler.time,
      sleep: (milliseconds, signal) => scheduler.sleep(actor, milliseconds, signal),
    },
    random: () => Array.from({ length: 32 }, () => random.below(16).toString(16)).join(''),
    log: { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} },
  };
  const io = plant(plain);
  const memory: Memory = { waiting: null, running: new Set(), accepted: null };
  const ask = (rejected: Parameters<typeof obtainBearer>[2]['rejected']) =>
    obtainBearer(io, memory, { rejected });

  return {
    actor,
    async use() {
      const bearer = await ask(null);
      const isTaken = (token: Secret) => scheduler.look(actor, 'call', () => service.accepts(token.reveal()));
      return (await isTaken(bearer.token)) || isTaken((await ask(bearer)).token);
    },
    async signIn(person, told) {
      await completeSignIn(io, async () => {
        const at = io.clock.now();
        const begun = await travel(world, actor, 'exchange', () => service.begin(person), {
          notSent: () => null,
          lost: null,
        });
        if (begun === null) throw new ArtworkError('network', 'The answer did not arrive.');
        const grant: UsableGrant = {
          flaw: null,
          accessToken: begun.access,
          refreshToken: begun.refresh,
          expiresAt: at + lifetimeMs,
          lifetime: lifetimeMs,
          scopes: [],
          asked: [],
          subject: told ? person : null,
          account: null,
          signedInAt: at,
          renewedAt: at,
        };
        return grant;
      });
    },
    disconnect: () => endConnection(io),
  };
}

/** One request and its answer: either may be lost, or late; who is killed meanwhile hears nothing. */
function travel<Answer>(
  { scheduler, random, weather, reach }: LifeWorld,
  actor: Actor,
  what: string,
  effect: () => Answer,
  ends: { notSent(): Answer; readonly lost: Answer },
): Promise<Answer> {
  const kind = what.split(' ')[0];
  return new Promise((resolve) => {
    let isTold = false;
    const tell = (answer: Answer) => {
      if (!isTold) scheduler.later(`hears of ${what}`, actor, () => resolve(answer));
      isTold = true;
    };
    const arrive = () => {
      scheduler.note(`arrives ${what}`);
      if (random.chance(weather.losses)) {
        reach(`lost: ${kind}`);
        return tell(ends.lost);
      }
      const answer = effect();
      if (random.chance(weather.losses)) {
        reach(`answer lost: ${kind}`);
        return tell(ends.lost);
      }
      tell(answer);
    };
    scheduler.later(`sends ${what}`, actor, () => {
      if (random.chance(weather.losses)) return tell(ends.notSent());
      const isLate = random.chance(weather.losses);
      if (isLate) reach(`late: ${kind}`);
      scheduler.after(random.below(isLate ? requestMs : 200), null, arrive);
      scheduler.after(requestMs, actor, () => tell(ends.lost));
    });
  });
}
