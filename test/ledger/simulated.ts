import { ArtworkError } from '../../src/errors.ts';
import type { LedgerIo } from '../../src/ledger/entry-store.ts';
import type { Lease, Ledger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import type { AtomicStore, StoredValue } from '../../src/storage/atomic-store.ts';
import { scope } from './machine.ts';

/** What a caller of the ledger, or the store below it, may get wrong. The first is how it must be. */
export const mistakes = [
  'none',
  'get_then_put',
  'send_what_is_known',
  'send_when_lost',
  'claim_after_sending',
] as const;
export type Mistake = (typeof mistakes)[number];

interface Waiting {
  readonly process: number;
  go(): void;
}

const ids = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b'] as const;
const lost = new ArtworkError('network', 'lost');
const refused = (status: number) => new ArtworkError('forbidden', 'refused', { status });

/**
 * Runs one schedule, drawn from the seed: several processes that mutate, resume and look up two ids through
 * the real ledger, while requests are lost, late or refused, answers are lost, processes are stopped, and
 * killed before or after any effect. Answers what was wrong, or null.
 */
export async function simulate(seed: number, mistake: Mistake): Promise<string | null> {
  const random = generator(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const wrong: string[] = [];

  // The service: what was applied, and requests that are still under way.
  const applied = new Map<string, number>();
  const late: string[] = [];
  const sent = new Set<string>();
  const sentUnder = new Set<string>();
  const apply = (id: string) => applied.set(id, (applied.get(id) ?? 0) + 1);

  // The scheduler: every wait ends when the seed says so.
  let now = Date.UTC(2030, 0, 1);
  let waiting: Waiting[] = [];
  const running = new Set<number>();
  const turn = (process: number) =>
    new Promise<void>((go) => {
      if (running.has(process)) waiting.push({ process, go });
    });

  const entries = new Map<string, StoredValue>();
  const storeFor = (process: number): LedgerIo['store'] => {
    const effect = async <T>(work: () => T): Promise<T> => {
      await turn(process);
      const result = work();
      await turn(process);
      return result;
    };
    const write = (key: string, value: string): StoredValue => {
      const entry = { key, value, version: (entries.get(key)?.version ?? 0) + 1 };
      entries.set(key, entry);
      return entry;
    };
    const store: Pick<AtomicStore, 'get' | 'putIfAbsent' | 'compareAndSet' | 'page' | 'count'> = {
      get: (key) => effect(() => entries.get(key) ?? null),
      async putIfAbsent(key, value) {
        if (mistake === 'get_then_put') {
          const found = await store.get(key);
          if (found !== null) return { won: false, current: found };
          return effect(() => ({ won: true, current: write(key, value) }));
        }
        return effect(() => {
          const found = entries.get(key);
          return found === undefined
            ? { won: true, current: write(key, value) }
            : { won: false, current: found };
        });
      },
      compareAndSet: (key, version, value) =>
        effect(() => {
          const found = entries.get(key);
          if (found === undefined) return { outcome: 'absent' };
          if (found.version !== version) return { outcome: 'changed', current: found };
          return { outcome: 'swapped', current: write(key, value) };
        }),
      page: async () => [],
      count: async () => 0,
    };
    return store;
  };

  /** Sends a request; answers what the client learns. */
  const request = async (
    process: number,
    id: string,
    epoch: number,
  ): Promise<'applied' | 'not_sent' | 'unknown' | number> => {
    await turn(process);
    const fate = below(8);
    if (fate === 0) return 'not_sent';
    if (sentUnder.has(`${id}@${epoch}`)) wrong.push('sent twice under one epoch');
    sentUnder.add(`${id}@${epoch}`);
    sent.add(id);
    if (fate === 1) return 'unknown'; // Lost on its way.
    if (fate === 2) late.push(id);
    else if (fate >= 5) apply(id);
    await turn(process);
    if (fate === 3) return 401;
    if (fate === 4) return 409;
    return fate <= 5 ? 'unknown' : 'applied';
  };

  const work = async (process: number, ledger: Ledger, lease: Lease, id: string): Promise<void> => {
    if (mistake === 'claim_after_sending') await request(process, id, lease.epoch);
    const { isHolder: mine } = await ledger.send(lease);
    if (!mine && mistake !== 'send_when_lost') return;
    const fate = await request(process, id, lease.epoch);
    if (below(8) === 0) {
      // The call fails for a reason of its own before it can say what it learnt.
    } else if (fate === 'applied') await ledger.settle(lease, { outcome: 'succeeded' });
    else if (fate === 'not_sent') await ledger.settle(lease, { outcome: 'not_sent', error: lost });
    else if (fate === 'unknown') await ledger.markUnresolved(lease, lost);
    else await ledger.settle(lease, { outcome: 'refused', error: refused(fate) });
    await ledger.release(lease);
  };

  const act = async (process: number, ledger: Ledger): Promise<void> => {
    const id = ids[below(2)] ?? ids[0];
    switch (below(4)) {
      case 0:
      case 1: {
        const claiming = await ledger.claim(scope, {
          clientMutationId: id,
          operation: 'upload_asset',
          target: null,
          intent: {},
        });
        if (claiming.claim === 'leased') await work(process, ledger, claiming.lease, id);
        else if (mistake === 'send_what_is_known') await request(process, id, claiming.view.entry.epoch);
        return;
      }
      case 2: {
        const taking = await ledger.acquire(scope, id);
        if (taking.acquire === 'leased') await work(process, ledger, taking.lease, id);
        return;
      }
      default: {
        await turn(process);
        if ((applied.get(id) ?? 0) > 0) await ledger.conclude(scope, id, { outcome: 'succeeded' });
        else await ledger.countLookup(scope, id);
      }
    }
  };

  const start = (process: number): void => {
    running.add(process);
    const ledger = openLedger({
      store: storeFor(process),
      clock: { now: () => now + below(600_000) - 300_000, monotonic: () => now },
      self: { machine: 'm', pid: process, instance: String(process) },
      mayRun: async ({ pid }) => running.has(pid),
    });
    const live = async () => {
      for (let i = 0; i < 4 && running.has(process); i += 1) await act(process, ledger);
      running.delete(process);
    };
    live().catch((error: unknown) => wrong.push(`a defect: ${String(error)}`));
  };

  let processes = 3;
  for (let process = 0; process < processes; process += 1) start(process);
  for (let steps = 0; steps < 600; steps += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    if (waiting.length === 0) break;
    switch (below(40)) {
      case 0: {
        const victim = waiting[below(waiting.length)]?.process ?? 0;
        running.delete(victim);
        waiting = waiting.filter(({ process }) => process !== victim);
        if (processes < 8) start(processes++);
        break;
      }
      case 1:
        now += 61_000; // No heartbeat for long: a stopped process wakes up later.
        break;
      case 2: {
        const [arrived] = late.splice(0, 1);
        if (arrived !== undefined) apply(arrived);
        break;
      }
      default: {
        const [next] = waiting.splice(below(waiting.length), 1);
        next?.go();
      }
    }
  }
  running.clear();
  for (const id of late) apply(id);

  const after = openLedger({
    store: {
      get: async (key) => entries.get(key) ?? null,
      putIfAbsent: () => Promise.reject(new Error('not now')),
      compareAndSet: () => Promise.reject(new Error('not now')),
      page: async () => [],
      count: async () => 0,
    },
    clock: { now: () => now, monotonic: () => now },
    self: { machine: 'm', pid: -1, instance: 'after' },
    mayRun: async () => false,
  });
  for (const id of ids) {
    const view = await after.read(scope, id);
    const times = applied.get(id) ?? 0;
    if (view === null && (sent.has(id) || times > 0)) wrong.push('sent, and not in the ledger');
    if (view?.standing === 'succeeded' && times === 0) wrong.push('called succeeded, and never applied');
    if ((view?.standing === 'not_sent' || view?.standing === 'refused') && times > 0) {
      wrong.push(`called ${view.standing}, and applied`);
    }
    if (view?.standing === 'not_sent' && view.entry.epoch === 1 && sent.has(id))
      wrong.push('called not sent, and sent');
  }
  return wrong[0] ?? null;
}

/** mulberry32: small, fast, and the same everywhere. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
