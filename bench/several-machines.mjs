// The store that several machines share: claims a second beside pgbench with the same statement on the same server,
// interleaved, and how long a guarded change takes on both engines, with few and with many entries in the ledger.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { bundling } from '../scripts/bundling.mjs';
import { median } from './measure.mjs';

const self = fileURLToPath(import.meta.url);
const root = path.dirname(path.dirname(self));
const seconds = 4;
const rounds = 3;

const parts = `
  export { openStorage } from './src/storage/open.ts';
  export { insertingStatement } from './src/storage/postgres/atomic.ts';
  export { join } from './test/mutations/artist.ts';
  export { fillLedger } from './test/support/filled-ledger.ts';
  export { startPostgres, postgresMissing } from './test/support/postgres.ts';
  export { startScriptedService, json } from './test/support/scripted-service.ts';
  export { keyFileFor } from './test/support/test-store.ts';
`;

/** Null where PostgreSQL is not installed. */
export async function measureSeveralMachines({
  entries = [100, 10_000, 100_000],
  processes = [1, 8, 64],
} = {}) {
  const work = path.join(root, 'test-output', `bench-machines-${process.pid}`);
  await mkdir(work, { recursive: true });
  const program = path.join(work, 'parts.mjs');
  const home = await mkdtemp(path.join(tmpdir(), 'artwork-bench-'));
  await build({
    ...bundling,
    splitting: false,
    stdin: { contents: parts, resolveDir: root, loader: 'ts' },
    outfile: program,
    external: [...bundling.external, 'vitest'],
  });
  const { startPostgres, postgresMissing, keyFileFor, insertingStatement } = await import(
    pathToFileURL(program).href
  );
  if (postgresMissing !== null) return null;
  const server = await startPostgres();
  try {
    const url = await server.database();
    const keyFile = keyFileFor(home);
    const claims = [];
    for (const count of processes) {
      const pairs = [];
      for (let round = 0; round < rounds; round += 1) {
        const own = await measureOwn(program, { home, url, keyFile, count });
        pairs.push({ own, pgbench: await measurePgbench({ home, url, count, server, insertingStatement }) });
      }
      claims.push({
        processes: count,
        own: median(pairs.map(({ own }) => own)),
        pgbench: median(pairs.map(({ pgbench }) => pgbench)),
        ratio: median(pairs.map(({ own, pgbench }) => own / pgbench)),
      });
    }
    const changes = [];
    for (const engine of ['libsql', 'postgres']) {
      for (const count of entries)
        changes.push({ engine, entries: count, ms: await latency(program, server, engine, count) });
    }
    return { claims, changes };
  } finally {
    await server.end();
    await rm(work, { recursive: true, force: true });
    await rm(home, { recursive: true, force: true });
  }
}

/** Claims a second of so many processes of ours, each on keys of its own. */
async function measureOwn(program, { home, url, keyFile, count }) {
  const children = Array.from({ length: count }, () => {
    const child = spawn(process.execPath, [self, 'claim', program, home, url, keyFile], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    return {
      child,
      exit: once(child, 'exit'),
      lines: createInterface({ input: child.stdout })[Symbol.asyncIterator](),
    };
  });
  for (const { lines } of children) await lines.next();
  for (const { child } of children) child.stdin.end('go\n');
  const rates = await Promise.all(children.map(async ({ lines }) => Number((await lines.next()).value)));
  await Promise.all(children.map(({ exit }) => exit));
  return rates.reduce((sum, rate) => sum + rate, 0);
}

/** Transactions a second of pgbench, over as many connections. */
async function measurePgbench({ home, url, count, server, insertingStatement }) {
  const name = new URL(url).pathname.slice(1);
  const { rows } = await server.admin(name, 'SELECT id FROM artwork.store');
  const given = [
    "('bench/' || gen_random_uuid())",
    "'x'",
    'gen_random_uuid()',
    `'${rows[0].id}'`,
    "'{}'",
    "'{}'",
    "'{}'",
  ];
  const sql = insertingStatement.replace(/\$(\d)/g, (_, at) => given[at - 1]).replace(/\s+/g, ' ');
  const script = path.join(home, 'claim.sql');
  await writeFile(script, `${sql};\n`);
  const args = [
    '-n',
    '-M',
    'extended',
    '-c',
    count,
    '-j',
    Math.min(count, 2),
    '-T',
    seconds,
    '-f',
    script,
    url,
  ];
  const printed = execFileSync('pgbench', args.map(String), {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return Number(/tps = ([\d.]+)/.exec(printed)?.[1]);
}

/** Median ms of a guarded change: two reads of the service, one request, on this engine with so many entries before. */
async function latency(program, server, engine, entries) {
  const home = await mkdtemp(path.join(tmpdir(), 'artwork-bench-'));
  const env = engine === 'postgres' ? { ...process.env, ARTWORK_TEST_STORE: server.url } : process.env;
  const child = spawn(process.execPath, [self, 'change', program, home, String(entries)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env,
  });
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  await once(child, 'close');
  await rm(home, { recursive: true, force: true });
  return Number(printed);
}

async function claim(program, home, url, keyFile) {
  const { openStorage } = await import(pathToFileURL(program).href);
  const shared = { url: () => url, keyFile };
  const storage = await openStorage({ home, keyring: null, indexOf: () => [], shared });
  await storage.atomic.get('a');
  console.log('ready');
  await once(process.stdin, 'data');
  process.stdin.destroy();
  const started = performance.now();
  let claims = 0;
  for (; performance.now() - started < seconds * 1000; claims += 1) {
    const { won } = await storage.atomic.putIfAbsent(`claim/${crypto.randomUUID()}`, 'x');
    if (!won) throw new Error('Another process has drawn the same key.');
  }
  console.log(claims / ((performance.now() - started) / 1000));
  storage.close();
}

async function change(program, home, entries) {
  const { join, fillLedger, startScriptedService, json } = await import(pathToFileURL(program).href);
  const changed = new Set();
  const service = await startScriptedService((request, response) => {
    const [, asset = ''] = /^\/me\/assets\/([^/?]+)/.exec(request.url ?? '') ?? [];
    request.resume().on('end', () => {
      if (request.method === 'POST') changed.add(asset);
      const updatedAt = `2030-01-0${changed.has(asset) ? 2 : 1}T00:00:00.000Z`;
      json(response, 200, {
        id: asset,
        assetId: asset,
        updatedAt,
        slot: 'poster',
        languageCode: changed.has(asset) ? 'fr' : 'en',
      });
    });
  });
  const scope = { service: service.baseUrl, user: 'default', subject: 'owner', connection: '0'.repeat(32) };
  await fillLedger({ home: path.join(home, 'data'), scope, count: Number(entries) });
  const artist = await join(home, { baseUrl: service.baseUrl, token: async () => 'token' });
  const times = [];
  for (let number = 0; number < 120; number += 1) {
    const args = {
      clientMutationId: crypto.randomUUID(),
      assetId: crypto.randomUUID(),
      expectedUpdatedAt: '2030-01-01T00:00:00.000Z',
      languageCode: 'fr',
    };
    const since = performance.now();
    const { outcome } = await artist.mutations.perform('edit_asset_metadata', args);
    if (outcome !== 'succeeded') throw new Error(`The change is ${outcome}.`);
    if (number >= 20) times.push(performance.now() - since);
  }
  console.log(median(times));
  await artist.leave();
  await service.close();
}

if (process.argv[1] === self) {
  const [mode, ...args] = process.argv.slice(2);
  if (mode === 'claim') await claim(...args);
  else if (mode === 'change') await change(...args);
  else console.log(JSON.stringify(await measureSeveralMachines(), null, 1));
}
