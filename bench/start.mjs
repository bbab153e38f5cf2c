import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { median, residentMemory } from './measure.mjs';
import { startRawClient } from './raw-client.mjs';

const rounds = 21;

/** Start to the answer of tools/list, each time beside a `node -e 0` of the same moment. */
export async function measureStart(home) {
  const samples = [];
  for (let round = 0; round <= rounds; round += 1) {
    const baselineFirst = round % 2 === 0;
    let baseline = baselineFirst ? await startOfNode() : 0;
    const server = await startOfServer(home);
    if (!baselineFirst) baseline = await startOfNode();
    // The first round warms the file cache.
    if (round > 0) samples.push({ baseline, ...server });
  }
  return {
    rounds,
    baselineMs: median(samples.map((sample) => sample.baseline)),
    listMs: median(samples.map((sample) => sample.listMs)),
    ratio: median(samples.map((sample) => sample.listMs / sample.baseline)),
    memoryMb: samples[0].memoryMb === null ? null : median(samples.map((sample) => sample.memoryMb)),
  };
}

async function startOfNode() {
  const since = performance.now();
  const child = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore', env: { PATH: process.env.PATH } });
  await once(child, 'exit');
  return performance.now() - since;
}

async function startOfServer(home) {
  const since = performance.now();
  const client = startRawClient({ ARTWORK_HOME: home });
  await client.initialize();
  await client.request('tools/list', {});
  const listMs = performance.now() - since;
  const memoryMb = residentMemory(client.pid);
  await client.end();
  return { listMs, memoryMb };
}
