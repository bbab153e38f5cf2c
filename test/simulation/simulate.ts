import { parseArgs } from 'node:util';
import { runSchedules } from './run-schedules.ts';

/** `npm run simulate -- --schedules N --seed S`: the last line counts schedules and violations. */
const { values } = parseArgs({
  options: { schedules: { type: 'string', default: '1000000' }, seed: { type: 'string', default: '1' } },
});
const schedules = Number(values.schedules);
const seed = Number(values.seed);
if (!Number.isSafeInteger(schedules) || schedules < 1 || !Number.isSafeInteger(seed)) {
  process.stderr.write('--schedules and --seed take whole numbers.\n');
  process.exit(2);
}

const batch = 10_000;
let done = 0;
let violations = 0;
const start = performance.now();
while (done < schedules) {
  const part = Math.min(batch, schedules - done);
  const summary = await runSchedules({ schedules: part, seed: seed + done });
  done += part;
  violations += summary.violations;
  const { first } = summary;
  if (first !== null) {
    process.stdout.write(`seed ${first.seed}\n${first.trace.join('\n')}\n${first.violations.join('\n')}\n`);
  }
  const rate = Math.round((done / (performance.now() - start)) * 1000);
  process.stdout.write(`${done} of ${schedules}, ${rate} per second\n`);
}
process.stdout.write(`${done} schedules, ${violations} violations\n`);
process.exitCode = violations === 0 ? 0 : 1;
