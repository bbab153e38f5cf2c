// The suites of ledger, runs, renewals and kills on PostgreSQL, and the whole of what two homes do on one store. Those of
// the storage itself run on both engines in `npm run test:slow`.
import { spawnSync } from 'node:child_process';

/** @param {Record<string, string>} env @param {string[]} args */
function run(env, ...args) {
  const { status } = spawnSync('npx', ['vitest', 'run', ...args], {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  if (status !== 0) process.exitCode = 1;
}

const onPostgres = { ARTWORK_TEST_STORE: 'postgres' };
run(
  onPostgres,
  ...['test/ledger', 'test/storage/seal.test.ts', 'test/connections', 'test/mutations/same-id.test.ts'],
  ...['test/mutations/same-place.test.ts', 'test/mutations/unresolved.test.ts'],
);
run(
  onPostgres,
  ...['--mode', 'slow', 'test/slow/ledger-processes.test.ts', 'test/slow/connections-processes.test.ts'],
  ...['test/slow/sets-killed.test.ts', 'test/slow/mutations-killed.test.ts'],
);
const { ARTWORK_TEST_CHANGES = '10000' } = process.env;
run({ ARTWORK_TEST_CHANGES }, '--mode', 'slow', 'test/slow/mutations-several-homes.test.ts');
