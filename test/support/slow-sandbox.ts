// The embedded catalogue with two slow parts: `GET /slow` answers, and the work that `POST /work` begins
// ends, once there is a file named `release` in the data folder.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { runSandbox } from '../../src/sandbox/process/run.ts';
import type { Mount } from '../../src/sandbox/server-context.ts';

const slow: Mount = ({ dataDir, beginWork: holdOpen }) => {
  const released = async () => {
    while (!existsSync(path.join(dataDir, 'release'))) await sleep(20);
  };
  return async (request, response) => {
    if (request.url === '/slow') {
      response.flushHeaders();
      await released();
      response.end('whole');
      return true;
    }
    if (request.url === '/work') {
      void released().then(holdOpen());
      response.writeHead(202).end();
      return true;
    }
    return false;
  };
};

const { values } = parseArgs({ options: { data: { type: 'string' }, idle: { type: 'string' } } });
await runSandbox({
  dataDir: values.data ?? '',
  idleSeconds: Number(values.idle),
  mounts: [slow],
  say: (line) => process.stderr.write(`${line}\n`),
});
process.exit(0);
