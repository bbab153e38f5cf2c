import { createHash, randomBytes } from 'node:crypto';
import {
  appendFileSync,
  closeSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { path as below } from '../../src/catalogue/call.ts';
import type { Catalogue, SendOutcome } from '../../src/catalogue/client.ts';
import { deadlineIn } from '../../src/deadline.ts';
import { chunkBytes, reserveBuffer } from '../../src/files/chunks.ts';
import { openUploadFile } from '../../src/files/open-file.ts';
import { hashFile, type ReadOptions, type UploadBytes } from '../../src/files/upload-bytes.ts';
import { catalogueAt } from '../catalogue/scripted-server.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { type Receiver, startReceiver } from '../files/receiver.ts';

const chunk = chunkBytes;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let receiver: Receiver;
let catalogue: Catalogue;

beforeEach(async () => {
  folder = await temporaryFolder();
  receiver = await startReceiver();
  catalogue = catalogueAt(receiver.origin);
});
afterEach(() => folder.remove());

/** A file that was last written to a while ago, as most are. */
function write(name: string, content: Buffer): string {
  const file = path.join(folder.path, name);
  writeFileSync(file, content);
  utimesSync(file, 1_700_000_000, 1_700_000_000);
  return file;
}

const openBytes = async (file: string): Promise<UploadBytes> =>
  hashFile(await openUploadFile(file, { configured: [folder.path], host: [] }));

function send(bytes: UploadBytes, options?: ReadOptions, signal?: AbortSignal): Promise<SendOutcome> {
  const headers = { 'content-type': 'image/png', 'x-upload-sha256': bytes.sha256 };
  const body = bytes.body(options);
  return catalogue.send(
    { path: below`/me/assets`, headers, body, bearer: 'token' },
    deadlineIn(45_000, signal),
  );
}

/** Files are read once and sent from memory, or, where there is no room left in it, read and hashed again. */
const ways = [
  { way: 'sent from memory', crowd: () => () => undefined },
  {
    way: 'read again',
    crowd: () => {
      const room = reserveBuffer(64 * 1024 * 1024);
      if (room === null) throw new Error('the room is taken already');
      return () => room.giveBack(false);
    },
  },
];

describe.each(ways)('a file that is $way', ({ crowd }) => {
  let leave: () => void;
  beforeEach(() => {
    leave = crowd();
  });
  afterEach(() => leave());

  it.each([1, 1000, chunk - 1, chunk, chunk + 1, 4 * chunk, 5 * chunk + 7])(
    'arrives whole: %i bytes',
    async (length) => {
      const content = randomBytes(length);
      const sha256 = createHash('sha256').update(content).digest('hex');
      const bytes = await openBytes(write('a.png', content));
      expect(bytes).toMatchObject({ length, sha256 });
      const told: number[] = [];
      const outcome = await send(bytes, { onProgress: (done) => told.push(done) });
      await bytes.close();
      expect(outcome.outcome).toBe('applied');
      expect(receiver.received).toMatchObject([{ bytes: length, whole: true, sha256 }]);
      expect(receiver.received[0]?.headers['content-length']).toBe(String(length));
      expect(told).toEqual([...new Set(told)].toSorted((a, b) => a - b));
      expect(told.at(-1)).toBe(length);
    },
  );

  const chunks = 4;
  const length = chunks * chunk;
  const original = randomBytes(length);
  const flip = (file: string, at: number) => {
    const descriptor = openSync(file, 'r+');
    writeSync(descriptor, Buffer.from([(original[at] ?? 0) ^ 1]), 0, 1, at);
    closeSync(descriptor);
  };
  const changes: Readonly<Record<string, (file: string) => void>> = {
    'in its first chunk': (file) => flip(file, 3),
    'in its last byte': (file) => flip(file, length - 1),
    'by writing the same again': (file) => writeFileSync(file, original),
    'by cutting its end off': (file) => truncateSync(file, length - 1),
    'by emptying it': (file) => truncateSync(file, 0),
    'by appending to it': (file) => appendFileSync(file, 'x'),
    'by putting another in its place': (file) => {
      writeFileSync(`${file}.new`, randomBytes(length));
      renameSync(`${file}.new`, file);
    },
    'by deleting it': (file) => rmSync(file),
  };

  describe.each(Object.entries(changes))('and is changed %s', (_name, change) => {
    it.each(Array.from({ length: chunks }, (_, sent) => sent))(
      'after %i chunks never arrives whole',
      async (sent) => {
        const file = write('a.png', original);
        const bytes = await openBytes(file);
        if (sent === 0) change(file);
        const onProgress = (done: number) => {
          if (done === sent * chunk) change(file);
        };
        const outcome = await send(bytes, { onProgress });
        await bytes.close();
        expect(outcome).toMatchObject({
          outcome: expect.stringMatching(/^(not_sent|unknown)$/),
          error: { category: 'upload_refused', details: { reason: 'source_changed' } },
        });
        if (outcome.outcome === 'unknown') expect(outcome.bodyComplete).toBe(false);
        await receiver.settled();
        for (const upload of receiver.received) {
          expect(upload.whole).toBe(false);
          expect(upload.bytes).toBeLessThan(length);
        }
      },
    );

    it('while it is hashed is refused', async () => {
      const file = write('a.png', original);
      const opened = await openUploadFile(file, { configured: [folder.path], host: [] });
      const onProgress = (done: number) => {
        if (done === chunk) change(file);
      };
      await expect(hashFile(opened, { onProgress })).rejects.toMatchObject({
        category: 'upload_refused',
        details: { reason: 'source_changed' },
      });
      expect(openDescriptors(file)).toEqual([]);
    });
  });

  it.each([0, 1, 2, 3])(
    'and is changed behind its time of writing after %i chunks arrives as it was or not at all',
    async (sent) => {
      const file = write('a.png', original);
      const bytes = await openBytes(file);
      const change = () => {
        flip(file, length - 1);
        utimesSync(file, 1_700_000_000, 1_700_000_000);
      };
      if (sent === 0) change();
      const onProgress = (done: number) => {
        if (done === sent * chunk) change();
      };
      const outcome = await send(bytes, { onProgress });
      await bytes.close();
      await receiver.settled();
      const changed = { error: { details: { reason: 'source_changed' } } };
      if (bytes.held === null && sent < 3) expect(outcome).toMatchObject(changed);
      // After three, the last chunk may have been read already.
      if (bytes.held !== null) expect(outcome.outcome).toBe('applied');
      if (outcome.outcome === 'applied') {
        expect(receiver.received).toMatchObject([{ whole: true, sha256: bytes.sha256 }]);
      } else {
        expect(outcome).toMatchObject(changed);
        for (const upload of receiver.received) expect(upload.whole).toBe(false);
      }
    },
  );

  it('is closed when its sending was cancelled', async () => {
    const file = write('a.png', original);
    const bytes = await openBytes(file);
    const cancel = new AbortController();
    const onProgress = (done: number) => {
      if (done === 3 * chunk) cancel.abort();
    };
    const outcome = await send(bytes, { onProgress }, cancel.signal);
    expect(outcome).toMatchObject({ error: { category: 'cancelled' }, bodyComplete: false });
    await bytes.close();
    await bytes.close();
    expect(openDescriptors(file)).toEqual([]);
    await receiver.settled();
    expect(receiver.received).toMatchObject([{ whole: false }]);
  });

  it('can be sent a second time', async () => {
    const bytes = await openBytes(write('a.png', original));
    expect((await send(bytes)).outcome).toBe('applied');
    expect((await send(bytes)).outcome).toBe('applied');
    await bytes.close();
    expect(receiver.received).toMatchObject([
      { whole: true, sha256: bytes.sha256 },
      { whole: true, sha256: bytes.sha256 },
    ]);
  });
});

it('stops hashing when it is cancelled, and closes the file', async () => {
  const file = write('a.png', randomBytes(3 * chunk));
  const opened = await openUploadFile(file, { configured: [folder.path], host: [] });
  const cancel = new AbortController();
  const onProgress = () => cancel.abort();
  await expect(hashFile(opened, { signal: cancel.signal, onProgress })).rejects.toMatchObject({
    category: 'cancelled',
  });
  expect(openDescriptors(file)).toEqual([]);
});

it('gives the room in memory back when a file is closed, and when hashing fails', async () => {
  const file = write('a.png', randomBytes(3 * chunk));
  for (let round = 0; round < 100; round += 1) {
    const bytes = await openBytes(file);
    await bytes.close();
    await bytes.close();
    const opened = await openUploadFile(file, { configured: [folder.path], host: [] });
    await expect(hashFile(opened, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      category: 'cancelled',
    });
  }
  const room = reserveBuffer(64 * 1024 * 1024);
  expect(room).not.toBeNull();
  room?.giveBack(false);
});

/** Only Linux tells; elsewhere the test shows less. */
function openDescriptors(file: string): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc/self/fd').filter((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`).startsWith(file);
    } catch {
      return false; // The one that the folder was read with.
    }
  });
}
