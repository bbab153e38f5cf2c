// The suites of connections, changes and kills on PostgreSQL, and what two homes do on one store. Those of the store
// and the ledger run on both engines in `npm run test:slow`.
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
run(onPostgres, 'test/connection');
run(
  onPostgres,
  ...['--mode', 'slow', 'test/slow/connection-processes.test.ts'],
  ...['test/slow/sets-killed.test.ts', 'test/slow/mutations-killed.test.ts'],
);
const { ARTWORK_TEST_CHANGES = '300' } = process.env;
run({ ARTWORK_TEST_CHANGES }, '--mode', 'slow', 'test/slow/mutations-several-homes.test.ts');
