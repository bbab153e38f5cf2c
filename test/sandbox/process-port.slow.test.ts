import { once } from 'node:events';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDataFolder } from '../../src/sandbox/data-folder.ts';
import { ensureIdentity } from '../../src/sandbox/process/identity.ts';
import { ensurePort, portFile, storedPort } from '../../src/sandbox/process/port.ts';
import { SandboxError } from '../../src/sandbox/sandbox-error.ts';
import { temporaryFolder } from '../support/temporary.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

/** A free port. */
async function freePort(): Promise<number> {
  const other = await temporaryFolder();
  const port = await ensurePort(other.path);
  await other.remove();
  return port;
}

describe('the port of a data folder', () => {
  it('is drawn once, below the ranges for outgoing connections, and is the same ever after', async () => {
    const port = await ensurePort(folder.path);
    expect(port).toBeGreaterThanOrEqual(20_000);
    expect(port).toBeLessThanOrEqual(32_000);
    expect(await ensurePort(folder.path)).toBe(port);
    expect(await readFile(portFile(folder.path), 'utf8')).toBe(`${port}\n`);
  });

  it('is one port for many who draw it at the same moment', async () => {
    const ports = await Promise.all(Array.from({ length: 20 }, () => ensurePort(folder.path)));
    expect(new Set(ports).size).toBe(1);
  });

  it('is the wanted one at first, and another one is refused after', async () => {
    const wanted = await freePort();
    expect(await ensurePort(folder.path, wanted)).toBe(wanted);
    const other = wanted + 1;
    await expect(ensurePort(folder.path, other)).rejects.toThrow(
      `port is ${wanted}, not ${other}. To move it, stop the catalogue and write ${other} into ${portFile(folder.path)}`,
    );
  });

  it('is never one that no folder can have, nor one that another program holds', async () => {
    for (const wanted of [0, 1, 80, 1023, 65_536, 99_999, -1, 2.5, Number.NaN]) {
      await expect(ensurePort(folder.path, wanted), String(wanted)).rejects.toThrow(RangeError);
    }
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const address = holder.address();
    if (address === null || typeof address === 'string') throw new Error('No port.');
    await expect(ensurePort(folder.path, address.port)).rejects.toThrow(
      `Port ${address.port} is held by another program. Choose another one with --port.`,
    );
    holder.close();
    await once(holder, 'close');
    expect(await readdir(folder.path)).toEqual([]);
    expect(await ensurePort(folder.path, address.port)).toBe(address.port);
  });

  it('is the wanted one for many who want it at the same moment', async () => {
    const wanted = await freePort();
    const ports = await Promise.all(Array.from({ length: 8 }, () => ensurePort(folder.path, wanted)));
    expect(new Set(ports)).toEqual(new Set([wanted]));
  });

  it('may be written by hand, without a line feed', async () => {
    await writeFile(portFile(folder.path), ' 25000');
    expect(await storedPort(folder.path)).toBe(25_000);
  });

  it('is read again while its file is only half written', async () => {
    await writeFile(portFile(folder.path), '2');
    const read = ensurePort(folder.path);
    await sleep(100);
    await writeFile(portFile(folder.path), '25001\n');
    expect(await read).toBe(25_001);
  });

  it.each(['', '2', 'port 25000\n', '80\n', '70000\n', '25000\n25001\n', '-25000\n', '2.5e4\n', '\u0000\n'])(
    'is not taken from a file that holds %j',
    async (text) => {
      await writeFile(portFile(folder.path), text);
      const failure = await ensurePort(folder.path).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(SandboxError);
      expect(String(failure)).toContain(portFile(folder.path));
      expect(String(failure)).toContain('delete the file');
      expect(String(failure)).not.toContain('\n');
    },
  );
});

describe('the identity of a data folder', () => {
  it('is one for many who start at the same moment', async () => {
    const found = await Promise.all(Array.from({ length: 20 }, () => ensureIdentity(folder.path)));
    expect(new Set(found.map(({ dataId }) => dataId)).size).toBe(1);
    expect(new Set(found.map((identity) => identity.prove('hello', ['x']))).size).toBe(1);
  });

  it.each(['', '{"dataId":', '{}\n', '[]\n', '{"dataId":"x","secret":"y"}\n'])(
    'is not made up where its file holds %j',
    async (text) => {
      const file = path.join(folder.path, 'identity.json');
      await writeFile(file, text);
      await expect(ensureIdentity(folder.path)).rejects.toThrow(`${file} is damaged`);
    },
  );
});

describe('the data folder', () => {
  it('names itself where it cannot be made', async () => {
    await writeFile(path.join(folder.path, 'file'), '');
    const below = path.join(folder.path, 'file', 'sandbox');
    await expect(openDataFolder(below)).rejects.toThrow(`The data folder ${below} can't be written (`);
    await expect(openDataFolder(path.join(folder.path, 'file'))).rejects.toBeInstanceOf(SandboxError);
  });

  it.skipIf(process.platform === 'win32')('and the files in it are for their owner alone', async () => {
    const dataDir = path.join(folder.path, 'home', 'sandbox');
    await mkdir(dataDir, { recursive: true, mode: 0o755 });
    await openDataFolder(dataDir);
    await ensureIdentity(dataDir);
    await ensurePort(dataDir);
    const modes = [dataDir, path.join(dataDir, 'identity.json'), portFile(dataDir)];
    expect(await Promise.all(modes.map(async (file) => (await stat(file)).mode & 0o777))).toEqual([
      0o700, 0o600, 0o600,
    ]);
  });
});
