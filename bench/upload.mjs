// Hashing and sending files, against `openssl dgst -sha256` plus `curl -T` of the same moment.
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { median, timed } from './measure.mjs';
import { loadParts } from './parts.mjs';

const self = fileURLToPath(import.meta.url);
const mebibyte = 1024 * 1024;
const fileBytes = 20 * mebibyte;
const run = promisify(execFile);

/**
 * Of one file of 20 MiB, and of 1 GiB in such files one after the other: milliseconds of ours and of curl's
 * and openssl's together, medians, and the median of the ratios of each round. Ours opens, hashes and sends;
 * it doesn't decode, since what is sent is noise. Memory in MB: resident after the single ones, and at most
 * with the others.
 */
export async function measureUpload(rounds = { one: 15, many: 5 }) {
  const folder = await mkdtemp(path.join(tmpdir(), 'artwork-bench-'));
  const sink = startPart('sink');
  const port = Number(await sink.line());
  const url = `http://127.0.0.1:${port}`;
  const ours = startPart('send', `${url}/api`, folder);
  try {
    await ours.line();
    const files = await writeFiles(folder, 52);
    const compare = (paths) => comparison({ ours, url, paths });
    const one = await measure(rounds.one, compare(files.slice(0, 1)));
    const { nowMb: memoryBefore } = await ours.ask({ memory: true });
    const many = await measure(rounds.many, compare(files));
    const { peakMb: memoryPeak } = await ours.ask({ memory: true });
    return { one, many, memoryBefore, memoryPeak };
  } finally {
    await ours.end();
    await sink.end();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Each round is both, the one that goes first in turn; the first round warms up. */
async function measure(rounds, compare) {
  const samples = [];
  for (let round = 0; round <= rounds; round += 1) {
    const sample = await compare(round % 2 === 0);
    if (round > 0) samples.push(sample);
  }
  return {
    rounds,
    oursMs: median(samples.map((sample) => sample.oursMs)),
    theirsMs: median(samples.map((sample) => sample.theirsMs)),
    ratio: median(samples.map((sample) => sample.oursMs / sample.theirsMs)),
  };
}

function comparison({ ours, url, paths }) {
  const theirs = () =>
    timed(async () => {
      await run('openssl', ['dgst', '-sha256', ...paths]);
      await run('curl', ['-sS', '--noproxy', '*', '--fail', '-T', `{${paths.join(',')}}`, `${url}/`]);
    });
  const own = async () => (await ours.ask({ files: paths })).ms;
  return async (oursFirst) => {
    let oursMs = oursFirst ? await own() : 0;
    const theirsMs = await theirs();
    if (!oursFirst) oursMs = await own();
    return { oursMs, theirsMs };
  };
}

/** 1 GiB: the last one is shorter. */
async function writeFiles(folder, count) {
  const noise = randomBytes(fileBytes);
  const files = [];
  for (let number = 0; number < count; number += 1) {
    const length = Math.min(fileBytes, 1024 * mebibyte - number * fileBytes);
    noise.writeUInt32LE(number, 0);
    const file = path.join(folder, `${number}.png`);
    const handle = await open(file, 'w');
    await handle.write(noise, 0, length);
    await handle.close();
    files.push(file);
  }
  return files;
}

const parts = `
  export { createCatalogue } from './src/catalogue/client.ts';
  export { path } from './src/catalogue/call.ts';
  export { openFile } from './src/files/open-file.ts';
  export { holdFile } from './src/files/content.ts';`;

/** A part of this bench as a process of its own, spoken to in lines. */
function startPart(...args) {
  const child = spawn(process.execPath, [self, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exit = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${args[0]} ended`);
    return value;
  };
  return {
    child,
    line,
    async ask(question) {
      child.stdin.write(`${JSON.stringify(question)}\n`);
      return JSON.parse(await line());
    },
    async end() {
      child.stdin.end();
      await exit;
    },
  };
}

/** Takes whatever is sent, and says how much it was. */
async function sink() {
  const server = createServer({ highWaterMark: mebibyte }, (request, response) => {
    let bytes = 0;
    request.on('data', (chunk) => {
      bytes += chunk.length;
    });
    request.on('end', () => {
      response.writeHead(201, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ data: { id: 'x', bytes } }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  console.log(server.address().port);
  process.stdin.resume().once('end', () => {
    server.closeAllConnections();
    server.close();
  });
}

const residentMb = () => process.memoryUsage.rss() / mebibyte;

/** Sends the files of each line with this project's own code. */
async function send(baseUrl, folder) {
  const { createCatalogue, path: below, holdFile, openFile } = await loadParts(parts);
  const catalogue = createCatalogue({
    locate: async () => ({ baseUrl, assetOrigin: new URL(baseUrl).origin }),
    userAgent: 'artwork-mcp/bench',
  });
  const upload = async (name) => {
    const file = await holdFile(await openFile(name, { configured: [folder], host: [] }));
    try {
      const { sha256, contentLength } = file.content;
      const outcome = await catalogue.send({
        path: below`/me/assets`,
        headers: { 'content-type': 'image/png', 'x-upload-sha256': sha256 },
        body: file.body(new AbortController().signal),
        bearer: 'token',
      });
      if (outcome.outcome !== 'applied' || outcome.body.data.bytes !== contentLength) {
        throw new Error(`an upload ended ${outcome.outcome}`);
      }
    } finally {
      await file.close();
    }
  };
  let peakMb = 0;
  console.log('ready');
  for await (const line of createInterface({ input: process.stdin })) {
    const { files, memory } = JSON.parse(line);
    if (memory) {
      console.log(JSON.stringify({ nowMb: residentMb(), peakMb }));
      continue;
    }
    const ms = await timed(async () => {
      for (const file of files) {
        await upload(file);
        peakMb = Math.max(peakMb, residentMb());
      }
    });
    console.log(JSON.stringify({ ms }));
  }
  await catalogue.close();
}

const [, script, part, ...given] = process.argv;
if (script === self && part === 'sink') await sink();
else if (script === self && part === 'send') await send(...given);
