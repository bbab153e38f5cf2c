import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startCatalogue } from './catalogue.mjs';
import { median, processorSeconds } from './measure.mjs';

const rounds = 7;

/**
 * Seconds of processor time that the embedded catalogue takes in an empty folder until it has answered a read, of all
 * processes that it starts; each time beside a `node -e 0` of the same moment. Linux only, else null.
 */
export async function measureFirstAnswer() {
  if (process.platform !== 'linux') return null;
  const samples = [];
  for (let round = 0; round <= rounds; round += 1) {
    const node = await secondsOfNode();
    const first = await secondsOfFirstAnswer();
    // The first round warms the file cache.
    if (round > 0) samples.push({ node, first });
  }
  return {
    rounds,
    nodeSeconds: median(samples.map((sample) => sample.node)),
    seconds: median(samples.map((sample) => sample.first)),
  };
}

async function secondsOfNode() {
  const before = processorSeconds(process.pid).ended;
  await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit');
  return processorSeconds(process.pid).ended - before;
}

async function secondsOfFirstAnswer() {
  const folder = await mkdtemp(path.join(tmpdir(), 'artwork-mcp-first-'));
  try {
    const catalogue = await startCatalogue(path.join(folder, 'catalogue'));
    const seconds = secondsOfAll(catalogue.pid);
    await catalogue.stop();
    return seconds;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Of a process, of those that it started and of theirs. */
function secondsOfAll(pid) {
  const { own, ended } = processorSeconds(pid);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return children
    .filter((child) => child !== '')
    .reduce((sum, child) => sum + secondsOfAll(child), own + ended);
}
