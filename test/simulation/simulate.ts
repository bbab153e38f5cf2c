import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { type Kind, runSchedules, runs, type Summary } from './run-schedules.ts';

/**
 * `npm run simulate -- --schedules N --seed S [--only KIND] [--workers N]`: one in four schedules is of
 * submissions and one in ten of a connection's life, unless one kind alone is named; on every core unless told
 * otherwise. The last line counts schedules and violations.
 */
const kinds = Object.keys(runs).filter(isKind);

/** Schedules of one kind, of consecutive seeds. */
interface Batch {
  readonly kind: Kind;
  readonly seed: number;
  readonly schedules: number;
}

const batchSize = 2_500;

if (isMainThread) await main();
else serve();

/** A worker runs whatever batch it is sent, and answers with its summary. */
function serve(): void {
  parentPort?.on('message', async ({ kind, seed, schedules }: Batch) => {
    parentPort?.postMessage(await runSchedules({ schedules, seed, run: runs[kind] }));
  });
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      schedules: { type: 'string', default: '1000000' },
      seed: { type: 'string', default: '1' },
      only: { type: 'string' },
      workers: { type: 'string', default: String(availableParallelism()) },
    },
  });
  const [schedules = 0, seed = 1, workers = 0] = [values.schedules, values.seed, values.workers].map(Number);
  const { only } = values;
  const isCount = (value: number) => Number.isSafeInteger(value) && value >= 1;
  if (!isCount(schedules) || !isCount(workers) || !Number.isSafeInteger(seed))
    return refuse('--schedules, --seed and --workers take whole numbers.');
  if (only !== undefined && !isKind(only)) return refuse(`--only takes one of ${kinds.join(', ')}.`);
  const submissions = Math.ceil(schedules / 4);
  const connections = Math.ceil((schedules - submissions) / 10);
  const mixed = { submissions, connections, singles: schedules - submissions - connections };
  let violations = 0;
  for (const kind of kinds) {
    const all = only === undefined ? mixed[kind] : kind === only ? schedules : 0;
    if (all > 0) violations += await runKind(kind, all, seed, workers);
  }
  process.stdout.write(`${schedules} schedules, ${violations} violations\n`);
  process.exitCode = violations === 0 ? 0 : 1;
}

function refuse(why: string): void {
  process.stderr.write(`${why}\n`);
  process.exitCode = 2;
}

function isKind(name: string): name is Kind {
  return Object.hasOwn(runs, name);
}

/** @returns how many violations there were */
async function runKind(kind: Kind, all: number, seed: number, workers: number): Promise<number> {
  const start = performance.now();
  const queue: Batch[] = [];
  // The last batches are small, so that no worker is long alone.
  const size = Math.max(1, Math.min(batchSize, Math.ceil(all / (4 * workers))));
  for (let from = 0; from < all; from += size)
    queue.push({ kind, seed: seed + from, schedules: Math.min(size, all - from) });
  const sum = { done: 0, steps: 0, kills: 0, violations: 0 };
  const rate = () => Math.round((sum.done / (performance.now() - start)) * 1000);
  const take = (summary: Summary) => {
    sum.done += summary.schedules;
    sum.steps += summary.steps;
    sum.kills += summary.kills;
    sum.violations += summary.violations;
    const { first } = summary;
    if (first !== null)
      process.stdout.write(
        `${first.trace.join('\n')}\nseed ${first.seed} of ${kind}\n${first.violations.join('\n')}\n`,
      );
    process.stdout.write(`${sum.done} of ${all} schedules of ${kind}, ${rate()} per second\n`);
  };
  await Promise.all(Array.from({ length: Math.min(workers, queue.length) }, () => work(queue, take)));
  const { done, steps, kills, violations } = sum;
  process.stdout.write(
    `${kind}: ${done} schedules from seed ${seed}, ${steps} steps, ${kills} kills, ${rate()} per second, ${violations} violations\n`,
  );
  return violations;
}

/** One worker, until the queue is empty. */
function work(queue: Batch[], take: (summary: Summary) => void): Promise<void> {
  const worker = new Worker(new URL(import.meta.url));
  return new Promise<void>((resolve, reject) => {
    const next = () => {
      const batch = queue.shift();
      if (batch === undefined) resolve();
      else worker.postMessage(batch);
    };
    worker.on('message', (summary: Summary) => {
      take(summary);
      next();
    });
    worker.once('error', reject);
    next();
  }).finally(() => worker.terminate());
}
