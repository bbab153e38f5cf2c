import { defineConfig } from 'vitest/config';

// Two workers: the suite starts real processes, and its time is planned for two cores.
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/run-folder.ts',
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
