import { configDefaults, defineConfig } from 'vitest/config';

/** What needs minutes, a browser, PostgreSQL or Kodi: `npm run test:slow` runs it, and so does .ci/run. */
const slow = 'test/slow/**/*.test.ts';

// The suite starts real processes and waits for them: three workers keep two cores busy.
export default defineConfig(({ mode }) => {
  const onlySlow = mode === 'slow';
  return {
    test: {
      include: [onlySlow ? slow : 'test/**/*.test.ts'],
      exclude: onlySlow ? configDefaults.exclude : [...configDefaults.exclude, slow],
      globalSetup: ['test/support/run-folder.ts'],
      // Style sheets are read as they are: pages have them within.
      css: { include: [/\.css\?raw$/] },
      pool: 'forks',
      maxWorkers: 3,
      // Each worker loads the program once, not for each file: a third of the suite's time. No test replaces a module.
      isolate: false,
      unstubEnvs: true,
      restoreMocks: true,
      // Limits end what hangs; they judge no speed. Ten times what a quiet run of the slowest test takes.
      testTimeout: 180_000,
      hookTimeout: 600_000,
      expect: { poll: { timeout: 100_000, interval: 20 } },
    },
  };
});
