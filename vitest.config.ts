import { configDefaults, defineConfig } from 'vitest/config';

/** Real disks, races and whole galleries: they run with `npm run test:slow`, and in .ci/run. */
const slow = [
  'test/catalogue/hostile.test.ts',
  'test/connections/{better-auth,canary,embedded,processes}.test.ts',
  'test/curation/{contact-sheet,decoding,lacking,pages/browser,thumbnail,matching/properties,plan/parts,plan/sets,titles/{damage,hit-rates}}.test.ts',
  'test/e2e/{account,arguments-meant,commands,completion,connect,connect-person,doctor,dry-runs,faults,feeds,frames,front-page,guesses,jobs,log,mutation-answers,odd-answers,own-reads,same-moment,sign-in-dialog,start-and-end,terminal}.test.ts',
  'test/e2e/follower-{arguments,connection,faults,reads,service}.test.ts',
  'test/e2e/{pages-app,pages-kinds,answers-fuzz,canary,contact-sheets,demo,embedded-catalogue,embedded-catalogue-ended,embedded-catalogue-replaced,hostile-service,large-pictures,other-machines,other-systems,scopes}.test.ts',
  'test/e2e/{audit-sets-targets,list-changes-feeds,list-changes-whose}.test.ts',
  'test/e2e/download-set-{disk,hostile,killed,kinds}.test.ts',
  'test/e2e/index-titles.test.ts',
  'test/e2e/plans-{killed,names,works}.test.ts',
  'test/e2e/sets-{full-disk,killed,large,offline,shared,under-way}.test.ts',
  'test/ledger/{cost,list-entries,processes}.test.ts',
  'test/files/{kept,memory,opening,prepare,sending}.test.ts',
  'test/mutations/{call,calls/resume,follower,many-unsettled,proof,receipts}.test.ts',
  'test/mutations/batch/{at-work,edit-many,full-disk,interrupted,lost-answers,older-sweep,places,proof,states,unknown-states}.test.ts',
  'test/packages/{fonts,mcpb,tarball}.test.ts',
  'test/sandbox/{account,front-page}-browser.test.ts',
  'test/sandbox/{faults,generated,letter,me-mutations,oauth-flow,oauth-token,pictures*,public-pictures,seed,seed-data}.test.ts',
  'test/sandbox/process-{command,end,foreign,launch,main,port}.test.ts',
  'test/sandbox/submissions-{creation,edit,processes,states}.test.ts',
  'test/sandbox/uploads-{processes,refusals}.test.ts',
  'test/simulation/{,submissions/}{many,plants}.test.ts',
  'test/storage/{damage,disk,key,libsql-atomic,open}.test.ts',
];

/** These repeat one mechanism: `npm test` runs a first share of their schedules, kills and rows, the slow run all of them. */
const shared = [
  'test/{catalogue/send-faults,catalogue/send-total,text}.test.ts',
  'test/connections/{sign-in,simulation}.test.ts',
  'test/curation/plan/properties.test.ts',
  'test/e2e/{kills,plans}.test.ts',
  'test/ledger/simulation.test.ts',
  'test/mcp/shorten.test.ts',
  'test/files/wire-filename.test.ts',
  'test/mutations/unresolved.test.ts',
  'test/sandbox/feeds.test.ts',
  'test/simulation/life/life.test.ts',
];

// The suite starts real processes and waits for them: four workers keep two cores busy, and it ends within two minutes.
export default defineConfig(({ mode }) => {
  const onlySlow = mode === 'slow';
  if (!onlySlow)
    process.stdout.write(
      `Left out, since slow: ${slow.join(' ')}\nA first share only: ${shared.join(' ')}\nnpm run test:slow runs them whole.\n`,
    );
  return {
    test: {
      include: onlySlow ? [...slow, ...shared] : ['test/**/*.test.ts'],
      exclude: onlySlow ? configDefaults.exclude : [...configDefaults.exclude, ...slow],
      globalSetup: 'test/support/run-folder.ts',
      pool: 'forks',
      maxWorkers: 4,
      // Each worker loads the program once, not for each file: a third of the suite's time. No test replaces a module.
      isolate: false,
      unstubEnvs: true,
      restoreMocks: true,
      provide: { isSlowRun: onlySlow },
      // Limits end what hangs; they judge no speed. Ten times what a quiet run of the slowest test takes.
      testTimeout: 180_000,
      hookTimeout: 600_000,
      expect: { poll: { timeout: 100_000, interval: 20 } },
    },
  };
});
