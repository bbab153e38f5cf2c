import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { reserveBuffer } from '../../src/files/chunks.ts';
import { openUploadFile } from '../../src/files/open-file.ts';
import { hashFile, type UploadBytes } from '../../src/files/upload-bytes.ts';
import { temporaryFolder } from '../support/temporary.ts';
import type { StreamBody } from '../../src/wire/exchange.ts';

// Compared by hand: whole files are too long for a matcher to look at byte by byte.
const mebibyte = 1024 * 1024;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  // Tests of one worker share the module. A file that ran before may have left a real timer, a second long at most,
  // and its end would take the memory away in the middle of a test here.
  await wait(1_500);
});
beforeEach(async () => {
  // Memory is kept for a while: however slow the machine is, that must not be over.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  folder = await temporaryFolder();
});
afterEach(async () => {
  vi.useRealTimers();
  await folder.remove();
});

async function hashed(content: Buffer): Promise<UploadBytes> {
  const file = path.join(folder.path, 'a.png');
  writeFileSync(file, content);
  return hashFile(await openUploadFile(file, { configured: [folder.path], host: [] }));
}

async function firstChunk(body: StreamBody): Promise<Buffer> {
  for await (const chunk of body.open()) return chunk;
  throw new Error('There is no chunk.');
}

const [one, other] = [randomBytes(2 * mebibyte), randomBytes(2 * mebibyte - 7)];

it('memory goes to another file only once nobody reads it any more', async () => {
  const first = await hashed(one);
  const { held: lease } = first;
  await first.close();
  const second = await hashed(other);
  expect(second.held?.buffer === lease?.buffer).toBe(true);
  expect(second.held?.equals(other)).toBe(true);

  // As of a request that was given up, and whose connection may still write what it was given.
  const chunk = await firstChunk(second.body());
  await second.close();
  const third = await hashed(one);
  expect(third.held?.buffer === chunk.buffer).toBe(false);
  expect(chunk.equals(other.subarray(0, chunk.length))).toBe(true);

  // The service has answered that it has all of it.
  const body = third.body();
  await firstChunk(body);
  body.arrived?.();
  await third.close();
  const fourth = await hashed(other);
  expect(fourth.held?.buffer === third.held?.buffer).toBe(true);
  await fourth.close();
});

it('there is room for as much as before, whatever was given back', () => {
  const small = Array.from({ length: 64 }, () => reserveBuffer(mebibyte));
  expect(reserveBuffer(1)).toBeNull();
  for (const one of small) one?.giveBack(true);
  const large = reserveBuffer(63 * mebibyte);
  expect(large).not.toBeNull();
  const last = reserveBuffer(mebibyte);
  expect(small.some((one) => one?.buffer.buffer === last?.buffer.buffer)).toBe(true);
  last?.giveBack(true);
  large?.giveBack(false);
});

it('memory is let go once no file has needed it for a while', () => {
  const lease = reserveBuffer(mebibyte);
  lease?.giveBack(true);
  vi.runAllTimers();
  const next = reserveBuffer(mebibyte);
  expect(next?.buffer.buffer === lease?.buffer.buffer).toBe(false);
  next?.giveBack(false);
});
