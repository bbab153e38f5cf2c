import { type Memory, obtainBearer } from '../../../src/connections/renewal.ts';
import { type Disconnection, endConnection } from '../../../src/connections/disconnect.ts';
import type { Grant, Io, Renewal, Revocation, Secret, UsableGrant } from '../../../src/connections/grant.ts';
import {
  completeSignIn,
  keepUncheckedGrant,
  type SignInCompletion,
} from '../../../src/connections/sign-in/complete.ts';
import { ArtworkError } from '../../../src/errors.ts';
import { createLeaseJudge } from '../../../src/storage/lease.ts';
import type { Disk } from '../disk.ts';
import { key, started } from '../host.ts';
import type { Random } from '../random.ts';
import type { Actor, Scheduler } from '../scheduler.ts';
import { type Family, lifetimeMs, type StrictService } from './service.ts';

export interface LifeWorld {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly disk: Disk;
  readonly service: StrictService;
  /** How likely a request or its answer is lost, 0 to 1. */
  readonly weather: { losses: number };
  /** Which sign-in on the service a connection here is of. */
  readonly families: Map<string, Family>;
  reach(what: string): void;
}

/** A mistake, planted where the modules meet the world. */
export interface PlantedLife {
  readonly io?: (io: Io) => Io;
  readonly signIn?: (completion: SignInCompletion, signIn: typeof completeSignIn) => Promise<unknown>;
}

export interface LifeProcess {
  readonly actor: Actor;
  /** Makes a call as a host does. Answers whether the service took its token. */
  use(): Promise<boolean>;
  signIn(person: string, told: boolean, replace: boolean): Promise<void>;
  disconnect(): Promise<Disconnection>;
}

/** How long a request is waited for; none arrives later than that. */
const requestMs = 30_000;

export function startLife(world: LifeWorld, name: string, plant: PlantedLife): LifeProcess {
  const { scheduler, random, disk, service } = world;
  const actor = scheduler.newActor(name);
  const plain: Io = {
    key,
    atomic: disk.store(scheduler, actor),
    records: disk.records(scheduler, random, actor),
    service: {
      prepare: async () => {},
      renew: (token: Secret) =>
        travel<Renewal>(world, actor, `renew ${token.reveal()}`, () => service.renew(token.reveal()), {
          notSent: { outcome: 'not_consumed', proof: { why: 'not_sent', code: null, retryAfterMs: null } },
          lost: { outcome: 'unknown', code: 'ECONNRESET' },
        }),
      revoke: (token: Secret) => {
        const failed: Revocation = { outcome: 'failed', why: 'network', code: null };
        const effect = () => service.revoke(token.reveal());
        return travel(world, actor, `revoke ${token.reveal()}`, effect, { notSent: failed, lost: failed });
      },
    },
    clock: {
      now: () => started + scheduler.time,
      monotonic: () => scheduler.time,
      sleep: (milliseconds, signal) => scheduler.sleep(actor, milliseconds, signal),
    },
    judge: createLeaseJudge({
      clock: { monotonic: () => scheduler.time },
      self: { machine: 'm', boot: 'b', pid: 1, started: actor.name, instance: actor.name },
      mayRun: async ({ instance }) => [...scheduler.actors].some(({ name }) => name === instance),
    }),
    random: () => Array.from({ length: 32 }, () => random.below(16).toString(16)).join(''),
    log: { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} },
  };
  const io = plant.io?.(plain) ?? plain;
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
    async signIn(person, told, replace) {
      const completion: SignInCompletion = {
        io,
        replace,
        canAsk: false,
        async receive(connection) {
          const at = io.clock.now();
          const effect = () => {
            const begun = service.begin(person);
            world.families.set(connection, begun.family);
            return begun;
          };
          const begun = await travel(world, actor, 'exchange', effect, { notSent: null, lost: null });
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
          const unchecked: Grant = { ...grant, flaw: 'unchecked' };
          await keepUncheckedGrant(io, connection, unchecked);
          return grant;
        },
      };
      await (plant.signIn?.(completion, completeSignIn) ?? completeSignIn(completion));
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
  ends: { readonly notSent: Answer; readonly lost: Answer },
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
      if (random.chance(weather.losses)) return tell(ends.notSent);
      const isLate = random.chance(weather.losses);
      if (isLate) reach(`late: ${kind}`);
      scheduler.after(random.below(isLate ? requestMs : 200), null, arrive);
      scheduler.after(requestMs, actor, () => tell(ends.lost));
    });
  });
}
