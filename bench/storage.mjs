// Claims per second of one process and of eight on one store, and what sealing and opening a record costs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const self = fileURLToPath(import.meta.url);
const root = path.dirname(path.dirname(self));
const keys = 2000;

/** `claims`: claims a second by number of processes, all of them on the same keys; `sealMicros`: per record of 1000 characters. */
export async function measureStorage() {
  const program = path.join(root, 'test-output', `bench-storage-${process.pid}.mjs`);
  await build({
    entryPoints: [path.join(root, 'src/storage/open.ts')],
    outfile: program,
    bundle: true,
    format: 'esm',
    platform: 'node',
    external: ['libsql', '@napi-rs/keyring'],
  });
  try {
    const one = await measureClaims(program, 1);
    const eight = await measureClaims(program, 8);
    return { claims: { one, eight }, sealMicros: await measureSeal(program) };
  } finally {
    await rm(program, { force: true });
  }
}

async function measureClaims(program, processes) {
  const home = await mkdtemp(path.join(tmpdir(), 'artwork-bench-'));
  const children = Array.from({ length: processes }, () => {
    const child = spawn(process.execPath, [self, 'claim', program, home], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    return {
      child,
      exit: once(child, 'exit'),
      lines: createInterface({ input: child.stdout })[Symbol.asyncIterator](),
    };
  });
  for (const { lines } of children) await lines.next();
  const started = performance.now();
  for (const { child } of children) child.stdin.end('go\n');
  const won = await Promise.all(children.map(async ({ lines }) => Number((await lines.next()).value)));
  const seconds = (performance.now() - started) / 1000;
  await Promise.all(children.map(({ exit }) => exit));
  await rm(home, { recursive: true, force: true });
  const total = won.reduce((sum, each) => sum + each, 0);
  if (total !== keys) throw new Error(`${total} claims were won, of ${keys} keys`);
  return (keys * processes) / seconds;
}

async function measureSeal(program) {
  const { openStorage } = await import(pathToFileURL(program).href);
  const home = await mkdtemp(path.join(tmpdir(), 'artwork-bench-'));
  const storage = await openStorage({ home, keyring: null, indexOf: () => [] });
  const plain = 'x'.repeat(1000);
  const rounds = 10_000;
  const run = async (count) => {
    for (let i = 0; i < count; i += 1) {
      await storage.seal.open('n', '1', await storage.seal.seal('n', '1', plain));
    }
  };
  await run(1000);
  const started = performance.now();
  await run(rounds);
  const micros = ((performance.now() - started) * 1000) / rounds;
  storage.close();
  await rm(home, { recursive: true, force: true });
  return micros;
}

/** One process: says that it is ready, waits for a line, claims every key, says how many it won. */
async function claim(program, home) {
  const { openStorage } = await import(pathToFileURL(program).href);
  const storage = await openStorage({ home, keyring: null, indexOf: () => [] });
  console.log('ready');
  await once(process.stdin, 'data');
  let won = 0;
  for (let i = 0; i < keys; i += 1) {
    if ((await storage.atomic.putIfAbsent(`claim/${i}`, 'x'.repeat(200))).won) won += 1;
  }
  storage.close();
  console.log(String(won));
}

const [, script, mode, ...given] = process.argv;
if (script === self && mode === 'claim') await claim(...given);
else if (script === self) {
  const { claims, sealMicros } = await measureStorage();
  console.log(`claims a second: 1 process ${claims.one.toFixed(0)}, 8 processes ${claims.eight.toFixed(0)}`);
  console.log(`seal and open a record of 1000 characters: ${sealMicros.toFixed(1)} µs`);
}
