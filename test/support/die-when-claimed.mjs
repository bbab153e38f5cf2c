// Loaded into a server by `--import`: ends it as SIGKILL does when it begins to wait for ARTWORK_TEST_DIE_AT ms,
// which is when its heart begins to beat for something that it has claimed and not sent.
import { syncBuiltinESMExports } from 'node:module';
import promises from 'node:timers/promises';

const wait = promises.setTimeout;
promises.setTimeout = (milliseconds, ...rest) => {
  if (milliseconds === Number(process.env.ARTWORK_TEST_DIE_AT)) process.kill(process.pid, 'SIGKILL');
  return wait(milliseconds, ...rest);
};
syncBuiltinESMExports();
