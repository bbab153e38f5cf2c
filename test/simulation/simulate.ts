import { parseArgs } from 'node:util';
import { add, runSchedules, type Runs } from './run-schedules.ts';
import { runLife } from './life/schedule.ts';
import { runSubmissions } from './submissions/schedule.ts';

/**
 * `npm run simulate -- --schedules N --seed S [--submissions] [--reached]`: one in four schedules is of submissions,
 * or all of them, and one in ten of a connection's life. The last line counts schedules and violations.
 */
const { values } = parseArgs({
  options: {
    schedules: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    submissions: { type: 'boolean', default: false },
    reached: { type: 'boolean', default: false },
  },
});
const schedules = Number(values.schedules);
const seed = Number(values.seed);
if (!Number.isSafeInteger(schedules) || schedules < 1 || !Number.isSafeInteger(seed)) {
  process.stderr.write('--schedules and --seed take whole numbers.\n');
  process.exit(2);
}

interface Kind {
  readonly name: string;
  readonly run?: Runs['run'];
  readonly schedules: number;
}

const part = values.submissions ? schedules : Math.ceil(schedules / 4);
const lives = values.submissions ? 0 : Math.floor(schedules / 10);
const kinds: readonly Kind[] = [
  {
    name: 'submissions',
    schedules: part,
    run: (each, traced) => runSubmissions({ seed: each, traced, plant: () => ({}) }),
  },
  {
    name: 'connections',
    schedules: lives,
    run: (each, traced) => runLife({ seed: each, traced, plant: () => ({}) }),
  },
  { name: 'single mutations', schedules: schedules - part - lives },
];

const batch = 5_000;
let violations = 0;
for (const { name, schedules: all, run } of kinds) {
  if (all === 0) continue;
  const start = performance.now();
  const reached = new Map<string, number>();
  let done = 0;
  let steps = 0;
  let kills = 0;
  let wrong = 0;
  while (done < all) {
    const count = Math.min(batch, all - done);
    const summary = await runSchedules({ schedules: count, seed: seed + done, run });
    done += count;
    steps += summary.steps;
    kills += summary.kills;
    wrong += summary.violations;
    for (const [what, times] of summary.reached) add(reached, what, times);
    const { first } = summary;
    if (first !== null) {
      process.stdout.write(
        `${first.trace.join('\n')}\nseed ${first.seed} of ${name}\n${first.violations.join('\n')}\n`,
      );
    }
    const rate = Math.round((done / (performance.now() - start)) * 1000);
    process.stdout.write(`${done} of ${all} schedules of ${name}, ${rate} per second\n`);
  }
  violations += wrong;
  if (values.reached) {
    for (const [what, times] of [...reached].sort()) process.stdout.write(`${times} × ${what}\n`);
  }
  process.stdout.write(`${name}: ${done} schedules, ${steps} steps, ${kills} kills, ${wrong} violations\n`);
}
process.stdout.write(`${schedules} schedules, ${violations} violations\n`);
process.exitCode = violations === 0 ? 0 : 1;
