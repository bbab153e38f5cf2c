import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { parseArgs } from 'node:util';
import { runLife } from './life/schedule.ts';
import { add, runSchedules, type Runs, type Summary } from './run-schedules.ts';
import { runSubmissions } from './submissions/schedule.ts';

/**
 * `npm run simulate -- --schedules N --seed S [--only KIND] [--reached] [--workers N]`: one in four schedules is of
 * submissions and one in ten of a connection's life, unless one kind alone is named; on every core unless told
 * otherwise. The last line counts schedules and violations.
 */
const kinds = {
  submissions: (seed: number, traced: boolean) => runSubmissions({ seed, traced, plant: () => ({}) }),
  connections: (seed: number, traced: boolean) => runLife({ seed, traced, plant: () => (io) => io }),
  singles: undefined,
} satisfies Record<string, Runs['run']>;
type Kind = keyof typeof kinds;

/** Schedules of one kind, of consecutive seeds. */
interface Batch {
  readonly kind: Kind;
  readonly seed: number;
  readonly schedules: number;
}

interface Result {
  readonly kind: Kind;
  readonly summary: Summary;
}

const batchSize = 2_500;

if (isMainThread) await main();
else serve();

/** A worker runs whatever batch it is sent, and answers with its summary. */
function serve(): void {
  parentPort?.on('message', async ({ kind, seed, schedules }: Batch) => {
    const summary = await runSchedules({ schedules, seed, run: kinds[kind] });
    const result: Result = { kind, summary };
    parentPort?.postMessage(result);
  });
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      schedules: { type: 'string', default: '1000000' },
      seed: { type: 'string', default: '1' },
      only: { type: 'string' },
      reached: { type: 'boolean', default: false },
      workers: { type: 'string', default: String(availableParallelism()) },
    },
  });
  const [schedules, seed, workers] = [values.schedules, values.seed, values.workers].map(Number);
  if (!isCount(schedules) || !isCount(workers) || !Number.isSafeInteger(seed)) {
    process.stderr.write('--schedules, --seed and --workers take whole numbers.\n');
    process.exitCode = 2;
    return;
  }
  const { only } = values;
  if (only !== undefined && !isKind(only)) {
    process.stderr.write(`--only takes one of ${Object.keys(kinds).join(', ')}.\n`);
    process.exitCode = 2;
    return;
  }
  const submissions = Math.ceil(schedules / 4);
  const connections = Math.floor(schedules / 10);
  const mixed = { submissions, connections, singles: schedules - submissions - connections };
  let violations = 0;
  for (const kind of Object.keys(kinds).filter(isKind)) {
    const all = only === undefined ? mixed[kind] : kind === only ? schedules : 0;
    if (all > 0) violations += await runKind(kind, all, seed ?? 1, workers, values.reached);
  }
  process.stdout.write(`${schedules} schedules, ${violations} violations\n`);
  process.exitCode = violations === 0 ? 0 : 1;
}

function isKind(name: string): name is Kind {
  return Object.hasOwn(kinds, name);
}

function isCount(value: number | undefined): value is number {
  return Number.isSafeInteger(value) && (value ?? 0) >= 1;
}

/** @returns how many violations there were */
async function runKind(
  kind: Kind,
  all: number,
  seed: number,
  workers: number,
  tellsReached: boolean,
): Promise<number> {
  const start = performance.now();
  const queue: Batch[] = [];
  // The last batches are small, so that no worker is long alone.
  const size = Math.max(1, Math.min(batchSize, Math.ceil(all / (4 * workers))));
  for (let from = 0; from < all; from += size) {
    queue.push({ kind, seed: seed + from, schedules: Math.min(size, all - from) });
  }
  const reached = new Map<string, number>();
  const sum = { done: 0, steps: 0, kills: 0, violations: 0 };
  const take = ({ summary }: Result) => {
    sum.done += summary.schedules;
    sum.steps += summary.steps;
    sum.kills += summary.kills;
    sum.violations += summary.violations;
    for (const [what, times] of summary.reached) add(reached, what, times);
    const { first } = summary;
    if (first !== null) {
      process.stdout.write(
        `${first.trace.join('\n')}\nseed ${first.seed} of ${kind}\n${first.violations.join('\n')}\n`,
      );
    }
    const rate = Math.round((sum.done / (performance.now() - start)) * 1000);
    process.stdout.write(`${sum.done} of ${all} schedules of ${kind}, ${rate} per second\n`);
  };
  await Promise.all(Array.from({ length: Math.min(workers, queue.length) }, () => work(queue, take)));
  if (tellsReached) {
    for (const [what, times] of [...reached].sort()) process.stdout.write(`${times} × ${what}\n`);
  }
  const { done, steps, kills } = sum;
  const rate = Math.round((done / (performance.now() - start)) * 1000);
  process.stdout.write(
    `${kind}: ${done} schedules from seed ${seed}, ${steps} steps, ${kills} kills, ${rate} per second, ${sum.violations} violations\n`,
  );
  return sum.violations;
}

/** One worker, until the queue is empty. */
function work(queue: Batch[], take: (result: Result) => void): Promise<void> {
  const worker = new Worker(new URL(import.meta.url));
  return new Promise<void>((resolve, reject) => {
    const next = () => {
      const batch = queue.shift();
      if (batch === undefined) resolve();
      else worker.postMessage(batch);
    };
    worker.on('message', (result: Result) => {
      take(result);
      next();
    });
    worker.once('error', reject);
    next();
  }).finally(() => worker.terminate());
}
