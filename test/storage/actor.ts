// A process of its own for the tests: acts on a store as told by its arguments, and answers in JSON lines.
import { once } from 'node:events';
import { ArtworkError } from '../../src/errors.ts';
import type { Storage } from '../../src/storage/open.ts';
import { openTestStorage } from '../support/test-store.ts';

const [mode = '', home = '', ...rest] = process.argv.slice(2);

function say(answer: unknown): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

/** Lets all actors begin at the same moment: they say that they are ready, and wait for a byte. */
async function together(): Promise<void> {
  say({ ready: true });
  await once(process.stdin, 'data');
  process.stdin.destroy();
}

async function claim(storage: Storage, keys: number, steps: number): Promise<void> {
  await together();
  const won: number[] = [];
  for (let i = 0; i < keys; i += 1) {
    const { won: mine } = await storage.atomic.putIfAbsent(`claim/${i}`, String(process.pid));
    if (mine) won.push(i);
  }
  for (let done = 0; done < steps; ) {
    const { current } = await storage.atomic.putIfAbsent('counter', '0');
    const swap = await storage.atomic.compareAndSet(
      'counter',
      current.version,
      String(Number(current.value) + 1),
    );
    if (swap.outcome === 'swapped') done += 1;
  }
  say({ won, pid: process.pid });
}

/** Writes until it is killed; what it says is what was acknowledged. */
async function write(storage: Storage, prefix: string): Promise<void> {
  const records = storage.records('kept');
  for (let i = 0; ; i += 1) {
    const key = `${prefix}/${i}`;
    await storage.atomic.putIfAbsent(key, `${i}:${'x'.repeat(i % 3000)}`);
    await records.set(key, { i, text: 'y'.repeat(i % 3000) });
    say({ i });
  }
}

async function fill(storage: Storage): Promise<void> {
  for (let i = 0; ; i += 1) {
    await storage.atomic.putIfAbsent(`fill/${i}`, 'z'.repeat(4000));
    say({ i });
  }
}

async function act(): Promise<void> {
  if (mode === 'first') await together();
  const storage = await openTestStorage(home);
  switch (mode) {
    case 'claim':
      await claim(storage, Number(rest[0]), Number(rest[1]));
      break;
    case 'write':
      await write(storage, rest[0] ?? '');
      break;
    case 'fill':
      await fill(storage);
      break;
    case 'first': {
      const sealed = await storage.seal.seal('record', '1', `from ${process.pid}`);
      say({ sealed, location: await storage.keyLocation() });
      break;
    }
    default:
      throw new Error(`no such mode: ${mode}`);
  }
  storage.close();
}

act().catch((error: unknown) => {
  const known = error instanceof ArtworkError;
  say({
    error: { code: known ? error.code : 'defect', message: error instanceof Error ? error.message : '' },
  });
  process.exitCode = 1;
});
