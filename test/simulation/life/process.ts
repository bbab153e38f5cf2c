import { endConnection } from '../../../src/connection/disconnect.ts';
import { newMemory, obtainBearer, type Ports } from '../../../src/connection/renewal.ts';
import type { SeenRow } from '../../../src/connection/row.ts';
import { completeSignIn } from '../../../src/connection/sign-in.ts';
import { ArtworkError } from '../../../src/errors.ts';
import type { Random } from '../random.ts';
import type { Actor, Scheduler } from '../scheduler.ts';
import type { StrictService } from './service.ts';

export interface LifeWorld {
  readonly scheduler: Scheduler;
  readonly random: Random;
  /** The one row, as the store has it. */
  readonly store: { seen: SeenRow };
  readonly service: StrictService;
  /** How likely a request or its answer is lost, 0 to 1. */
  readonly weather: { losses: number };
  /** A refresh token leaves to be renewed; it may again once what this answers is called. */
  presents(token: string): () => void;
  /** Told of each row that is written. */
  written(): void;
}

/** A mistake, planted where the modules meet the world. */
export type PlantedLife = (ports: Ports) => Ports;

export interface LifeProcess {
  readonly actor: Actor;
  /** Makes a call as a host does. Answers whether the service took its token. */
  use(): Promise<boolean>;
  signIn(person: string): Promise<void>;
  disconnect(): Promise<string>;
}

/** How long a request is waited for; none arrives later than that. */
const requestMs = 30_000;
const started = Date.UTC(2026, 0, 1);

export function startLife(world: LifeWorld, name: string, plant: PlantedLife): LifeProcess {
  const { scheduler, random, store, service } = world;
  const actor = scheduler.newActor(name);
  const ports = plant({
    key: { service: 'https://catalogue.example', person: 'default' },
    clientId: 'app',
    rows: {
      // What was read may be old by the time it is heard of.
      async read() {
        const seen = await scheduler.look(
          actor,
          () => 'read',
          () => store.seen,
        );
        if (random.chance(0.3)) await scheduler.sleep(actor, random.below(400));
        return seen;
      },
      write: (_key, seenVersion, row) =>
        scheduler.io(actor, `write ${row?.state} ${row?.generation} ${row?.presenting?.id}`, () => {
          if (store.seen.version !== seenVersion) return 'lost';
          store.seen = { version: seenVersion + 1, row };
          world.written();
          return 'won';
        }),
    },
    seal: {
      seal: async (of, generation, plain) => JSON.stringify([of, generation, plain]),
      async open(of, generation, sealed) {
        const [whose, when, plain] = JSON.parse(sealed);
        if (whose !== of || when !== generation) throw new Error('sealed for another row');
        return plain;
      },
    },
    server: {
      prepare: async () => {},
      renew: (token) => {
        const unsent = world.presents(token.reveal());
        return travel(world, actor, `renew ${token.reveal()}`, () => service.renew(token.reveal()), {
          notSent: () => {
            unsent();
            return { outcome: 'not_consumed', error: new ArtworkError('network', 'It was not sent.') };
          },
          lost: { outcome: 'unknown' },
        });
      },
      revoke: (token) =>
        travel(world, actor, `revoke ${token.reveal()}`, () => service.revoke(token.reveal()), {
          notSent: () => 'not_sent',
          lost: 'failed',
        }),
    },
    clock: {
      now: () => started + scheduler.time,
      monotonic: () => scheduler.time,
      sleep: (milliseconds, signal) => scheduler.sleep(actor, milliseconds, signal),
    },
    holders: {
      self: name,
      isGone: (holder) => ![...scheduler.actors].some((other) => other.name === holder),
    },
    random: () => Array.from({ length: 32 }, () => random.below(16).toString(16)).join(''),
  });
  const memory = newMemory();

  return {
    actor,
    async use() {
      const isTaken = (access: string) => scheduler.look(actor, 'call', () => service.accepts(access));
      const bearer = await obtainBearer(ports, memory, null);
      if (await isTaken(bearer.token.reveal())) return true;
      return isTaken((await obtainBearer(ports, memory, bearer)).token.reveal());
    },
    async signIn(person) {
      await completeSignIn(ports, memory, [], async () => {
        const begun = await travel(world, actor, 'exchange', () => service.begin(person), {
          notSent: () => null,
          lost: null,
        });
        if (begun === null) throw new ArtworkError('network', 'The answer did not arrive.');
        return begun;
      });
    },
    disconnect: async () => (await endConnection(ports, memory)).outcome,
  };
}

/** One request and its answer: either may be lost, or late; who is killed meanwhile hears nothing. */
function travel<Answer>(
  { scheduler, random, weather }: LifeWorld,
  actor: Actor,
  what: string,
  effect: () => Answer,
  ends: { notSent(): Answer; readonly lost: Answer },
): Promise<Answer> {
  return new Promise((resolve) => {
    let isTold = false;
    const tell = (answer: Answer) => {
      if (!isTold) scheduler.later(`hears of ${what}`, actor, () => resolve(answer));
      isTold = true;
    };
    const arrive = () => {
      scheduler.note(`arrives ${what}`);
      if (random.chance(weather.losses)) return tell(ends.lost);
      const answer = effect();
      if (random.chance(weather.losses)) return tell(ends.lost);
      tell(answer);
    };
    scheduler.later(`sends ${what}`, actor, () => {
      if (random.chance(weather.losses)) return tell(ends.notSent());
      const isLate = random.chance(weather.losses);
      scheduler.after(random.below(isLate ? requestMs : 200), null, arrive);
      scheduler.after(requestMs, actor, () => tell(ends.lost));
    });
  });
}
