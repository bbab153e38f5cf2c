import { type Memory, obtainBearer } from '../../src/connections/renewal.ts';
import { endConnection } from '../../src/connections/disconnect.ts';
import {
  type Bearer,
  type ConnectionId,
  type Io,
  Secret,
  type UsableGrant,
} from '../../src/connections/grant.ts';
import { clearTheWay, completeSignIn, keepUncheckedGrant } from '../../src/connections/sign-in/complete.ts';
import { ArtworkError } from '../../src/errors.ts';
import { createLog } from '../../src/log.ts';
import { createLeaseJudge } from '../../src/storage/lease.ts';
import { simulateService } from './simulated-service.ts';
import { simulateStore } from './simulated-store.ts';
import { generator, key, lifetime, type Mistake, type World } from './simulated-world.ts';

interface Waiting {
  readonly process: number;
  /** Milliseconds since 1970; 0: at any time. */
  readonly at: number;
  go(): void;
}

/**
 * Runs one schedule, drawn from the seed: several processes that use, sign in to and disconnect one
 * connection through the real engine, while requests and answers are lost or late or refused, processes are
 * stopped, and killed before or after any effect. Answers what was wrong, or null.
 */
export async function simulate(seed: number, mistake: Mistake): Promise<string | null> {
  const random = generator(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  let waiting: Waiting[] = [];
  const running = new Set<number>();
  const turn = (process: number, at = 0) =>
    new Promise<void>((go) => {
      if (running.has(process)) waiting.push({ process, at, go });
    });
  const wrong: string[] = [];
  const gentle = below(3) === 0;
  const now = Date.UTC(2030, 0, 1);
  const world: World = { mistake, gentle, calm: false, harmed: false, now, wrong, below, turn };
  const service = simulateService(world);
  const store = simulateStore(world);
  const ioFor = (process: number): Io => ({
    key,
    atomic: store.atomic(process),
    records: store.tokens(process),
    service: service.endpoint(process),
    clock: {
      now: () => world.now,
      monotonic: () => world.now,
      sleep: (milliseconds) => turn(process, world.now + milliseconds),
    },
    judge: createLeaseJudge({
      clock: { monotonic: () => world.now },
      self: { machine: 'm', boot: 'b', pid: process, started: '1', instance: String(process) },
      mayRun: async ({ pid }) => running.has(pid),
    }),
    random: () => Array.from({ length: 32 }, () => below(16).toString(16)).join(''),
    log: createLog('error', () => undefined),
  });

  const expected = new Set(['not_connected', 'reconnect_required', 'network', 'rate_limited', 'forbidden']);
  const use = async (process: number, io: Io, memory: Memory): Promise<'good' | 'bad' | 'none'> => {
    const ask = (rejected: Bearer | null) => obtainBearer(io, memory, { rejected });
    try {
      const bearer = await ask(null);
      await turn(process);
      if (service.isGood(bearer.token.reveal())) return 'good';
      const fresh = await ask(bearer);
      return service.isGood(fresh.token.reveal()) ? 'good' : 'bad';
    } catch (error) {
      if (!(error instanceof ArtworkError)) throw error;
      if (!expected.has(error.category)) wrong.push(`${error.code}: ${error.message}`);
      return 'none';
    }
  };
  const signIn = async (process: number, io: Io): Promise<void> => {
    const receive = async (connection: ConnectionId): Promise<UsableGrant> => {
      const subject = `account-${service.families.length}`;
      const at = world.now;
      const tokens = service.begin();
      await turn(process);
      const grant: UsableGrant = {
        flaw: null,
        accessToken: new Secret(tokens.access),
        refreshToken: new Secret(tokens.refresh),
        expiresAt: at + lifetime,
        lifetime,
        scopes: [],
        asked: [],
        subject,
        account: null,
        signedInAt: at,
        renewedAt: at,
      };
      await keepUncheckedGrant(io, connection, { ...grant, flaw: 'unchecked' });
      return grant;
    };
    try {
      await clearTheWay(io, true);
      await turn(process);
      await completeSignIn({ io, replace: true, canAsk: false, receive });
    } catch (error) {
      const isOvertaken = error instanceof ArtworkError && error.code === 'sign_in_overtaken';
      if (!isOvertaken) throw error;
    }
  };

  const start = (process: number, live: (io: Io, memory: Memory) => Promise<void>): void => {
    running.add(process);
    live(ioFor(process), { waiting: null, running: new Set(), accepted: null })
      .catch((error: unknown) => wrong.push(`a defect: ${String(error)}`))
      .finally(() => running.delete(process));
  };
  const act = (process: number) => async (io: Io, memory: Memory) => {
    for (let i = 0; i < 6; i += 1) {
      const what = below(24);
      if (what === 0) await endConnection(io);
      else if (what === 1) await signIn(process, io);
      else await use(process, io, memory);
      await turn(process, world.now + below(lifetime));
    }
  };

  let steps = 0;
  const settle = async () => {
    for (let i = 0; i < 6; i += 1) await Promise.resolve();
  };
  /** Lets time pass until no process waits, or for so many steps. */
  const run = async (limit: number, chaos: boolean): Promise<void> => {
    for (let left = limit; left > 0; left -= 1) {
      await settle();
      if (waiting.length === 0 && running.size > 0) await new Promise((resolve) => setImmediate(resolve));
      if (waiting.length === 0) return;
      steps += 1;
      const dice = chaos ? below(120) : 119;
      if (dice === 0 && !gentle) {
        const victim = waiting[below(waiting.length)]?.process ?? 0;
        running.delete(victim);
        waiting = waiting.filter(({ process }) => process !== victim);
        world.harmed = true;
        continue;
      }
      if (dice === 1) service.arrive();
      if (dice === 2) world.now += below(50_000); // All were slow: a stopped process wakes up later.
      let ready = waiting.filter(({ at }) => at <= world.now);
      if (ready.length === 0) {
        world.now = Math.min(...waiting.map(({ at }) => at));
        ready = waiting.filter(({ at }) => at <= world.now);
      }
      const next = ready[below(ready.length)];
      waiting = waiting.filter((other) => other !== next);
      next?.go();
    }
  };

  start(0, (io) => signIn(0, io));
  await run(1000, false);
  for (let process = 1; process <= 5; process += 1) start(process, act(process));
  await run(4000, true);
  while (service.arrive()) world.harmed = true;
  world.calm = true;
  await run(20_000, false);
  if (running.size > 0) wrong.push('a process never ends');

  // Later, when no wait is left, a process looks at the connection.
  world.now += 60_000;
  const end: { last: 'good' | 'bad' | 'none'; pointer: string } = { last: 'none', pointer: '' };
  start(90, async (io, memory) => {
    end.last = await use(90, io, memory);
    end.pointer = store.entries.get(key.pointer)?.value ?? '';
  });
  await run(20_000, false);
  if (end.last === 'bad') wrong.push('the connection is neither alive nor known to be dead');
  const isUsed = !/disconnect/.test(end.pointer);
  if (end.last === 'none' && !world.harmed && isUsed) wrong.push('a connection was lost without need');

  // A person disconnects: nothing that was ever stored may live on.
  world.now += 10 * 60_000;
  for (const process of [91, 92]) {
    start(process, async (io) => {
      await endConnection(io);
    });
    await run(20_000, false);
  }
  if (service.families.some(({ ended, newest }) => !ended && store.stored.has(newest)))
    wrong.push('a grant was forgotten');
  if (store.records.size > 0) wrong.push('a record was forgotten');
  return wrong[0] ?? (steps > 0 ? null : 'nothing happened');
}
