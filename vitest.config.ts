import { configDefaults, defineConfig } from 'vitest/config';

/** Real disks, races and whole galleries: they run with `npm run test:slow`, and in .ci/run. */
const slow = [
  'test/catalogue/hostile.test.ts',
  'test/connections/processes.test.ts',
  'test/curation/{contact-sheet,thumbnail,plan/properties,plans/parts}.test.ts',
  'test/e2e/follower-{connection,faults,reads,service}.test.ts',
  'test/e2e/{demo,hostile-service,plans-killed,scopes,sets-large,sets-offline,sets-shared}.test.ts',
  'test/mutations/files/{kept,memory,opening,sending}.test.ts',
  'test/mutations/follower.test.ts',
  'test/mutations/submissions/{interrupted,lost-answers}.test.ts',
  'test/sandbox/account-browser.test.ts',
  'test/sandbox/letter.test.ts',
  'test/sandbox/pictures*.test.ts',
  'test/sandbox/process-{end,launch,strangers}.test.ts',
  'test/sandbox/public-pictures.test.ts',
  'test/sandbox/seed.test.ts',
  'test/sandbox/submissions-{edit,processes,states}.test.ts',
  'test/sandbox/uploads-{processes,refusals}.test.ts',
  'test/storage/damage.test.ts',
];

// The suite starts real processes and waits for them: four workers keep two cores busy, and it ends within three minutes.
export default defineConfig(({ mode }) => {
  const onlySlow = mode === 'slow';
  if (!onlySlow)
    process.stdout.write(`Left out, since slow: ${slow.join(' ')}\nnpm run test:slow runs them.\n`);
  return {
    test: {
      include: onlySlow ? slow : ['test/**/*.test.ts'],
      exclude: onlySlow ? configDefaults.exclude : [...configDefaults.exclude, ...slow],
      globalSetup: 'test/support/run-folder.ts',
      pool: 'forks',
      maxWorkers: 4,
      // A busy machine may cut a real process short once; what fails twice is broken. The report names each.
      retry: process.env.CI === undefined ? 0 : 1,
      testTimeout: 30_000,
      hookTimeout: 30_000,
    },
  };
});
