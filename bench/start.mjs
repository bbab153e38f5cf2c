import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { median, residentMemory } from './measure.mjs';
import { inEachRequest, startRawClient } from './raw-client.mjs';

const rounds = 21;

/** How hosts begin until they have the tools: in both revisions, with and without asking first which are spoken. */
const openings = {
  '2025-11-25': async (client) => {
    await client.initialize();
    await client.request('tools/list', {});
  },
  '2025-11-25, asked first': async (client) => {
    await client.request('server/discover', inEachRequest);
    await client.initialize();
    await client.request('tools/list', {});
  },
  '2026-07-28': async (client) => {
    await client.request('tools/list', inEachRequest);
  },
  '2026-07-28, asked first': async (client) => {
    await client.request('server/discover', inEachRequest);
    await client.request('tools/list', inEachRequest);
  },
};

/**
 * Start to the answer of tools/list, each time beside a `node -e 0` of the same moment; the openings take turns.
 * @returns by opening, with the median ratio and the memory then in MB
 */
export async function measureStart(home) {
  const samples = Object.keys(openings).map((name) => ({ name, taken: [] }));
  for (let round = 0; round <= rounds; round += 1) {
    for (const { name, taken } of samples) {
      const baselineFirst = round % 2 === 0;
      let baseline = baselineFirst ? await startOfNode() : 0;
      const server = await startOfServer(home, openings[name]);
      if (!baselineFirst) baseline = await startOfNode();
      // The first round warms the file cache.
      if (round > 0) taken.push({ baseline, ...server });
    }
  }
  return samples.map(({ name, taken }) => ({
    name,
    rounds,
    baselineMs: median(taken.map((sample) => sample.baseline)),
    listMs: median(taken.map((sample) => sample.listMs)),
    ratio: median(taken.map((sample) => sample.listMs / sample.baseline)),
    memoryMb: taken[0].memoryMb === null ? null : median(taken.map((sample) => sample.memoryMb)),
  }));
}

async function startOfNode() {
  const since = performance.now();
  const child = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore', env: { PATH: process.env.PATH } });
  await once(child, 'exit');
  return performance.now() - since;
}

async function startOfServer(home, open) {
  const since = performance.now();
  const client = startRawClient({ ARTWORK_HOME: home });
  await open(client);
  const listMs = performance.now() - since;
  const memoryMb = residentMemory(client.pid);
  await client.end();
  return { listMs, memoryMb };
}
