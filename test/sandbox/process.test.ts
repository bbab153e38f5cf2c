import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { dataFolder, ensureSandbox, stopSandbox } from '../../src/sandbox/launch.ts';
import { openFolder } from '../../src/sandbox/process/folder.ts';
import { SandboxError } from '../../src/sandbox/sandbox-error.ts';
import { controlOf } from '../support/catalogue-control.ts';
import { fillFolder } from '../support/filled.ts';
import { isRunning } from '../support/is-running.ts';
import { temporaryFolder } from '../support/temporary.ts';

let home: string;
let remove: () => Promise<void>;

beforeEach(async () => {
  const folder = await temporaryFolder();
  ({ path: home, remove } = folder);
  await fillFolder(dataFolder(home));
});

afterEach(async () => {
  await stopSandbox({ home });
  await remove();
});

async function untilGone(pid: number): Promise<void> {
  while (isRunning(pid)) await sleep(10);
}

test('of many callers at once one starts it, all find it, and it ends when it is asked to', async () => {
  const all = await Promise.all(Array.from({ length: 4 }, () => ensureSandbox({ home })));
  const [{ pid, baseUrl } = { pid: 0, baseUrl: '' }] = all;
  expect(all.map((one) => [one.pid, one.baseUrl])).toEqual(all.map(() => [pid, baseUrl]));
  expect((await fetch(`${baseUrl}/episodes`)).status).toBe(200);
  expect((await fetch(`${baseUrl}/.sandbox/stop?id=other`, { method: 'POST' })).status).toBe(404);
  expect(isRunning(pid)).toBe(true);
  expect(await stopSandbox({ home })).toBe(true);
  await untilGone(pid);
  expect(await stopSandbox({ home })).toBe(false);
  // Its output stays in the folder, for its owner alone.
  const log = await stat(path.join(dataFolder(home), 'log'));
  expect(log.size).toBeGreaterThan(0);
  if (process.platform !== 'win32') expect(log.mode & 0o077).toBe(0);
});

test('it ends by itself when it is not used, and never during a request', async () => {
  const { pid, baseUrl } = await ensureSandbox({ home, idleSeconds: 0.3, faults: true });
  await controlOf(baseUrl).fail({ method: 'GET', path: '/episodes', do: 'delay', milliseconds: 800 });
  expect((await fetch(`${baseUrl}/episodes`)).status).toBe(200);
  await untilGone(pid);
});

test('another program at its port is found out, and neither used nor ended', async () => {
  const { port } = await openFolder(dataFolder(home));
  // As a catalogue of another data folder would answer.
  const said = { id: 'another', pid: process.pid, baseUrl: `http://127.0.0.1:${port}` };
  const stranger = createServer((_, response) => response.end(JSON.stringify(said)));
  stranger.listen(port, '127.0.0.1');
  await once(stranger, 'listening');
  await expect(ensureSandbox({ home })).rejects.toBeInstanceOf(SandboxError);
  expect(await stopSandbox({ home })).toBe(false);
  expect(stranger.listening).toBe(true);
  stranger.close();
  stranger.closeAllConnections();
});

test('a program that can’t start says why, and in a damaged folder none is started', async () => {
  const entry = path.join(home, 'broken.mjs');
  await writeFile(entry, 'process.stderr.write("no wood to draw on\\n"); process.exit(3);');
  await expect(ensureSandbox({ home, entry })).rejects.toThrow(/no wood to draw on/);
  const folder = path.join(dataFolder(home), 'folder.json');
  const written = await readFile(folder);
  await rm(path.join(dataFolder(home), 'log'));
  await writeFile(folder, '{}');
  await expect(ensureSandbox({ home })).rejects.toBeInstanceOf(SandboxError);
  expect(existsSync(path.join(dataFolder(home), 'log'))).toBe(false);
  await writeFile(folder, written);
});

test('the first start fills an empty folder, and answers what it was asked meanwhile', async () => {
  await rm(path.join(dataFolder(home), 'catalogue.db'), { force: true });
  const { baseUrl } = await ensureSandbox({ home });
  expect((await fetch(`${baseUrl}/feeds/sets`)).status).toBe(200);
});
