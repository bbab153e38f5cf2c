// Loaded into a server by `--import`: its clock runs ARTWORK_TEST_HASTE times as fast, so that what it waits
// for, 40 s for news of an unknown fate above all, can be waited for in a test. Dates stay what they are.
import { syncBuiltinESMExports } from 'node:module';
import promises from 'node:timers/promises';

const factor = Number(process.env.ARTWORK_TEST_HASTE);
const since = performance.now();
const now = performance.now.bind(performance);
performance.now = () => since + (now() - since) * factor;

const later = globalThis.setTimeout;
globalThis.setTimeout = Object.assign(
  (run, milliseconds, ...args) => later(run, (milliseconds ?? 0) / factor, ...args),
  later,
);
const wait = promises.setTimeout;
promises.setTimeout = (milliseconds, ...rest) => wait((milliseconds ?? 0) / factor, ...rest);
syncBuiltinESMExports();
