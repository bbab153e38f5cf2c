import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { holdBytes } from '../../../src/mutations/files/held-bytes.ts';
import { openUpload } from '../../../src/mutations/files/open-file.ts';
import { hashFile, type UploadBytes } from '../../../src/mutations/files/upload-bytes.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const mebibyte = 1024 * 1024;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

async function hashed(content: Buffer): Promise<UploadBytes> {
  const file = path.join(folder.path, 'a.png');
  writeFileSync(file, content);
  return hashFile(await openUpload(file, { configured: [folder.path], host: [] }));
}

async function firstChunk(bytes: UploadBytes): Promise<Buffer> {
  for await (const chunk of bytes.body().open()) return chunk;
  throw new Error('There is no chunk.');
}

const [one, other] = [randomBytes(2 * mebibyte), randomBytes(2 * mebibyte - 7)];

it('memory goes to another file only once nobody reads it any more', async () => {
  const first = await hashed(one);
  const { held } = first;
  await first.close();
  const second = await hashed(other);
  expect(second.held?.buffer).toBe(held?.buffer);
  expect(second.held).toEqual(other);

  // As of a request that was given up, and whose connection may still write what it was given.
  const chunk = await firstChunk(second);
  await second.close();
  const third = await hashed(one);
  expect(third.held?.buffer).not.toBe(chunk.buffer);
  expect(chunk).toEqual(other.subarray(0, chunk.length));

  // The service has answered that it has all of it.
  await firstChunk(third);
  await third.close(true);
  const fourth = await hashed(other);
  expect(fourth.held?.buffer).toBe(third.held?.buffer);
  await fourth.close();
});

it('there is room for as much as before, whatever was given back', () => {
  const small = Array.from({ length: 64 }, () => holdBytes(mebibyte));
  expect(holdBytes(1)).toBeNull();
  for (const one of small) one?.giveBack(true);
  const large = holdBytes(63 * mebibyte);
  expect(large).not.toBeNull();
  const last = holdBytes(mebibyte);
  expect(small.map((one) => one?.buffer.buffer)).toContain(last?.buffer.buffer);
  last?.giveBack(true);
  large?.giveBack(false);
});
