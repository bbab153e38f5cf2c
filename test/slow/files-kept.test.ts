import { execFileSync, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { missingBlobsError } from '../../src/blobs/blob.ts';
import { type BlobStore, blobFolder, blobKeyOf, createBlobStore } from '../../src/blobs/blob-store.ts';
import { path as below } from '../../src/catalogue/call.ts';
import { chunkBytes, reserveBuffer } from '../../src/files/chunks.ts';
import { openUploadFile } from '../../src/files/open-file.ts';
import { type ReadOptions, sha256Of, type UploadBytes } from '../../src/files/upload-bytes.ts';
import { catalogueAt } from '../catalogue/scripted-server.ts';
import { type Bundle, bundle } from '../support/bundle.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { startReceiver } from '../files/receiver.ts';

const posix = process.platform !== 'win32';
const mebibyte = 1024 * 1024;
const owner = 'c0ffee: an owner with a name';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let home: string;
let kept: BlobStore;

beforeEach(async () => {
  folder = await temporaryFolder();
  home = path.join(folder.path, 'home');
  kept = createBlobStore(home);
});
afterEach(() => folder.remove());

const digest = (content: Buffer) => sha256Of(createHash('sha256').update(content).digest('hex'));
const fileOf = (content: Buffer) => ({ sha256: digest(content), length: content.length });

function write(name: string, content: Buffer, where = folder.path): string {
  const file = path.join(where, name);
  writeFileSync(file, content);
  return file;
}

async function keep(file: string, options: ReadOptions = {}, as = owner, where = kept): Promise<void> {
  const sha256 = digest(readFileSync(file));
  const opened = await openUploadFile(file, { configured: [path.dirname(file)], host: [] });
  try {
    await where.keep(as, opened, sha256, options);
  } finally {
    await opened.close();
  }
}

async function contentOf(bytes: UploadBytes): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of bytes.body().open()) chunks.push(chunk);
  await bytes.close();
  return Buffer.concat(chunks);
}

/** Everything in the folder of kept bytes, as paths within it. */
function everything(where = home): string[] {
  const root = path.join(where, blobFolder);
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).toSorted();
}

describe('kept bytes', () => {
  it.each([1, chunkBytes, chunkBytes + 5])(
    'are those of the file, whatever becomes of it: %i bytes',
    async (length) => {
      const content = randomBytes(length);
      const file = write('poster.png', content);
      await keep(file);
      rmSync(file);
      expect(await kept.missing(owner, [fileOf(content)])).toEqual([]);
      expect(await contentOf(await createBlobStore(home).open(owner, fileOf(content)))).toEqual(content);
    },
  );

  it('are found behind a link that leads to the data directory', async () => {
    const content = randomBytes(1000);
    const file = write('poster.png', content);
    mkdirSync(home, { mode: 0o700 });
    const linked = path.join(folder.path, 'linked');
    symlinkSync(home, linked, 'junction');
    const store = createBlobStore(linked);
    await keep(file, {}, owner, store);
    await keep(file, {}, owner, store);
    expect(await contentOf(await store.open(owner, fileOf(content)))).toEqual(content);
  });

  it('are sent as they were declared', async () => {
    const content = randomBytes(2 * mebibyte);
    const file = write('poster.png', content);
    await keep(file);
    writeFileSync(file, randomBytes(2 * mebibyte));
    const receiver = await startReceiver();
    const bytes = await kept.open(owner, fileOf(content));
    const outcome = await catalogueAt(receiver.origin).send({
      path: below`/me/set-uploads/${'1'}/assets`,
      headers: { 'content-type': 'image/png' },
      body: bytes.body(),
      bearer: 'token',
    });
    await bytes.close();
    expect(outcome.outcome).toBe('applied');
    expect(receiver.received).toMatchObject([{ whole: true, sha256: digest(content) }]);
  });

  it('lie in files that only their user can read, and whose names tell nothing', async () => {
    const content = randomBytes(1000);
    await keep(write('Top secret.png', content));
    const key = blobKeyOf(owner);
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(everything()).toEqual([key, path.join(key, digest(content))]);
    if (!posix) return;
    const modeOf = (...names: string[]) => statSync(path.join(home, blobFolder, ...names)).mode & 0o777;
    expect([modeOf(), modeOf(key), modeOf(key, digest(content))]).toEqual([0o700, 0o700, 0o600]);
  });

  it.runIf(posix)('take folders away from others that were left open to them', async () => {
    const file = write('a.png', randomBytes(10));
    await keep(file);
    chmodSync(path.join(home, blobFolder), 0o755);
    chmodSync(path.join(home, blobFolder, blobKeyOf(owner)), 0o755);
    await keep(file, {}, owner, createBlobStore(home));
    expect(statSync(path.join(home, blobFolder)).mode & 0o777).toBe(0o700);
    expect(statSync(path.join(home, blobFolder, blobKeyOf(owner))).mode & 0o777).toBe(0o700);
  });

  it('are not written through a link', async () => {
    mkdirSync(home, { mode: 0o700 });
    mkdirSync(path.join(folder.path, 'elsewhere'));
    symlinkSync(path.join(folder.path, 'elsewhere'), path.join(home, blobFolder), 'junction');
    await expect(keep(write('a.png', randomBytes(10)))).rejects.toMatchObject({ code: 'home_not_private' });
    expect(readdirSync(path.join(folder.path, 'elsewhere'))).toEqual([]);
    rmSync(path.join(home, blobFolder));
    await keep(path.join(folder.path, 'a.png'));
  });

  it('are kept once for all files of an owner that hold the same', async () => {
    const content = randomBytes(1000);
    await keep(write('a.png', content));
    await keep(write('b.png', content));
    await keep(write('c.png', randomBytes(10)));
    expect(await kept.list(owner)).toHaveLength(2);
    expect(await kept.listOwners()).toEqual([{ ownerKey: blobKeyOf(owner), files: 2, bytes: 1010 }]);
  });

  it('are released with their owner, and with nobody else', async () => {
    const content = randomBytes(1000);
    const file = write('a.png', content);
    await keep(file);
    await keep(file, {}, 'another');
    await kept.release(owner);
    await kept.release(owner);
    expect(await kept.list(owner)).toEqual([]);
    expect(await contentOf(await kept.open('another', fileOf(content)))).toEqual(content);
    expect(await kept.missing(owner, [fileOf(content)])).toEqual([fileOf(content)]);
    await keep(file);
    expect(await kept.list(owner)).toEqual([fileOf(content)]);
  });

  it('of nobody are none', async () => {
    expect(await kept.list(owner)).toEqual([]);
    expect(await kept.listOwners()).toEqual([]);
    await kept.release(owner);
    await kept.sweep();
    expect(existsSync(home)).toBe(false);
  });

  it.each([
    ['deleted', (file: string) => rmSync(file)],
    ['emptied', (file: string) => truncateSync(file, 0)],
    ['cut', (file: string) => truncateSync(file, 999)],
    ['changed', (file: string) => writeFileSync(file, randomBytes(1000))],
    ['replaced by a folder', (file: string) => [rmSync(file), mkdirSync(file)]],
    [
      'replaced by a link',
      (file: string) => [renameSync(file, `${file}.png`), symlinkSync(`${file}.png`, file)],
    ],
  ])('that were %s are said to be missing, and can be kept again', async (how, harm) => {
    const content = randomBytes(1000);
    const original = write('a.png', content);
    await keep(original);
    const copy = path.join(home, blobFolder, blobKeyOf(owner), digest(content));
    harm(copy);
    await expect(kept.open(owner, fileOf(content))).rejects.toMatchObject({
      category: 'upload_refused',
      details: { reason: 'kept_bytes_missing', missing: [fileOf(content)] },
    });
    if (how === 'replaced by a folder') rmSync(copy, { recursive: true });
    await keep(original);
    expect(await contentOf(await kept.open(owner, fileOf(content)))).toEqual(content);
  });

  it('of a file that changes meanwhile are not kept', async () => {
    const content = randomBytes(3 * chunkBytes);
    for (const crowded of [false, true]) {
      const file = write('a.png', content);
      const room = crowded ? reserveBuffer(64 * mebibyte) : null;
      const change = (done: number) => {
        if (done === chunkBytes) writeFileSync(file, randomBytes(3 * chunkBytes));
      };
      await expect(keep(file, { onProgress: change })).rejects.toMatchObject({
        category: 'upload_refused',
        details: { reason: 'source_changed' },
      });
      room?.giveBack(false);
      expect(everything()).toEqual([]);
    }
  });

  it('are kept though somebody takes their folder away meanwhile, but not for ever', async () => {
    const content = randomBytes(2 * chunkBytes);
    const file = write('a.png', content);
    const away = (times: number) => {
      let taken = 0;
      return (done: number) => {
        if (done !== chunkBytes || taken === times) return;
        taken += 1;
        rmSync(path.join(home, blobFolder, blobKeyOf(owner)), { recursive: true });
      };
    };
    await keep(file, { onProgress: away(2) });
    expect(await contentOf(await kept.open(owner, fileOf(content)))).toEqual(content);
    await kept.release(owner);
    await expect(keep(file, { onProgress: away(3) })).rejects.toMatchObject({ category: 'internal' });
    expect(everything()).toEqual([]);
  });

  it('are not kept when that is cancelled, and nothing is left', async () => {
    const file = write('a.png', randomBytes(2 * chunkBytes));
    const room = reserveBuffer(64 * mebibyte);
    const cancel = new AbortController();
    const onProgress = () => cancel.abort();
    await expect(keep(file, { signal: cancel.signal, onProgress })).rejects.toMatchObject({
      category: 'cancelled',
    });
    room?.giveBack(false);
    expect(everything()).toEqual([]);
  });
});

describe('bytes that are missing', () => {
  const file = { sha256: digest(Buffer.from('x')), length: 1 };
  it('are named, with the machine that has them', () => {
    const error = missingBlobsError([{ ...file, filename: 'S01E01.png' }], 'studio');
    expect(error.message).toContain('S01E01.png');
    expect(error.message).toContain('studio');
    expect(error.next?.tool).toBeUndefined();
    expect(error.next?.why).toContain('studio');
  });

  it('are counted where they are many', () => {
    const many = Array.from({ length: 300 }, (_, at) => ({ ...file, filename: `${at}.png` }));
    const error = missingBlobsError(many, null);
    expect(error.message).toContain('280 more');
    expect(error.details).toMatchObject({ missingCount: 300 });
    expect(JSON.stringify(error.details).length).toBeLessThan(5000);
  });
});

describe('what a killed process leaves', () => {
  const old = (file: string, seconds: number) => {
    const then = Date.now() / 1000 - seconds;
    utimesSync(file, then, then);
  };
  const draft = (pid: number) => `.artwork-mcp-${pid}-00000000-0000-4000-8000-000000000000.part`;

  it('is swept once its writer is gone, or has stood still for an hour', async () => {
    const gone = spawn(process.execPath, ['-e', '0']);
    await once(gone, 'exit');
    await keep(write('a.png', randomBytes(10)));
    const own = path.join(home, blobFolder, blobKeyOf(owner));
    const dead = write(draft(gone.pid ?? 0), randomBytes(10), own);
    const alive = write(draft(process.pid), randomBytes(10), own);
    await kept.sweep();
    expect(readdirSync(own)).toHaveLength(3);
    old(dead, 120);
    old(alive, 120);
    await kept.sweep();
    expect(readdirSync(own)).toHaveLength(2);
    expect(existsSync(dead)).toBe(false);
    old(alive, 3700);
    await keep(write('b.png', randomBytes(10)), {}, owner, createBlobStore(home));
    expect(existsSync(alive)).toBe(false);
    expect(await kept.list(owner)).toHaveLength(2);
  });

  it('is not hindered by another process that sweeps at the same moment', async () => {
    const other = createBlobStore(home);
    const owners = Array.from({ length: 60 }, (_, index) => `owner ${index}`);
    let keeping = true;
    const sweeping = (async () => {
      while (keeping) await other.sweep();
    })();
    try {
      for (const as of owners) await keep(write('a.png', randomBytes(10)), {}, as);
    } finally {
      keeping = false;
      await sweeping;
    }
    expect(await kept.listOwners()).toHaveLength(owners.length);
  });

  it('is swept with a folder that nobody needs after a day', async () => {
    const file = write('a.png', randomBytes(10));
    for (const as of ['needed', 'forgotten', 'fresh']) await keep(file, {}, as);
    for (const as of ['needed', 'forgotten']) {
      const own = path.join(home, blobFolder, blobKeyOf(as));
      for (const name of readdirSync(own)) old(path.join(own, name), 90_000);
      old(own, 90_000);
    }
    await kept.sweep();
    expect(await kept.listOwners()).toHaveLength(3);
    await kept.sweep(async (key) => key === blobKeyOf('needed'));
    expect((await kept.listOwners()).map((each) => each.ownerKey).toSorted()).toEqual(
      [blobKeyOf('needed'), blobKeyOf('fresh')].toSorted(),
    );
  });
});

describe('in several processes', () => {
  let built: Bundle;
  beforeAll(async () => {
    built = await bundle({ keeper: 'test/files/keeper.ts' });
  });
  afterAll(() => built.remove());

  const start = () => {
    const child = spawn(process.execPath, [built.program('keeper'), home, folder.path], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const exit = once(child, 'exit');
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    child.stdin.on('error', () => undefined); // It may have been killed.
    return {
      child,
      exit,
      next: async () => (await lines.next()).value,
      tell: (file: string) => child.stdin.write(`${JSON.stringify({ owner, file })}\n`),
    };
  };

  it('the same bytes are kept at once, and what is being read stays', async () => {
    const content = randomBytes(300_000);
    const file = write('a.png', content);
    await keep(file);
    const reading = await kept.open(owner, fileOf(content));
    const keepers = Array.from({ length: 3 }, start);
    for (const owner of keepers) expect(await owner.next()).toBe('ready');
    for (let round = 0; round < 3; round += 1) {
      if (round > 0) await kept.release(owner);
      for (const owner of keepers) owner.tell(file);
      for (const owner of keepers) expect(await owner.next()).toBe(digest(content));
      expect(everything()).toHaveLength(2);
      if (round === 0) expect(await contentOf(reading)).toEqual(content);
      expect(await contentOf(await kept.open(owner, fileOf(content)))).toEqual(content);
    }
    for (const { child } of keepers) child.stdin.end();
    await Promise.all(keepers.map(({ exit }) => exit));
  });

  it('one that is killed leaves whole copies or none', async () => {
    const files = Array.from({ length: 6 }, (_, at) => {
      const content = randomBytes(2 * mebibyte);
      return { file: write(`${at}.png`, content), sha256: digest(content) };
    });
    for (let kill = 0; kill < files.length; kill += 1) {
      await kept.release(owner);
      const child = start();
      const said = [await child.next()];
      for (const { file } of files) child.tell(file);
      // In the middle of the next one, most times.
      while (said.length <= kill) said.push(await child.next());
      await pause(kill * 2);
      child.child.kill('SIGKILL');
      await child.exit;
      const names = everything().map((name) => path.basename(name));
      for (const sha256 of said.slice(1)) expect(names).toContain(sha256);
      for (const name of names.filter((each) => files.some(({ sha256 }) => sha256 === each))) {
        const copy = readFileSync(path.join(home, blobFolder, blobKeyOf(owner), name));
        expect(digest(copy)).toBe(name);
      }
    }
    for (const { file } of files) await keep(file);
    expect(await kept.list(owner)).toHaveLength(files.length);
  });
});

describe.runIf(posix)('on a disk', () => {
  const withDisk = async (skip: (why: string) => void, size: string, work: () => Promise<void>) => {
    mkdirSync(home, { mode: 0o700 });
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=0700`, 'tmpfs', home], {
        stdio: 'ignore',
      });
    } catch {
      skip('a small file system can not be mounted here');
    }
    try {
      await work();
    } finally {
      execFileSync('umount', ['-l', home]);
    }
  };
  const full = {
    category: 'internal',
    code: 'store_full',
    message: expect.stringMatching(/Nothing was sent\. Free some space/),
    next: { why: expect.stringContaining('free space') },
  };

  it('that has no room nothing is begun', async ({ skip }) => {
    await withDisk(skip, '24m', async () => {
      const file = write('a.png', randomBytes(10 * mebibyte));
      await expect(keep(file)).rejects.toMatchObject(full);
      await expect(kept.requireRoom(10 * mebibyte)).rejects.toMatchObject(full);
      expect(everything()).toEqual([]);
      await kept.requireRoom(5 * mebibyte);
      await keep(write('b.png', randomBytes(5 * mebibyte)));
      expect(await kept.list(owner)).toHaveLength(1);
    });
  });

  it('that becomes full nothing is left', async ({ skip }) => {
    await withDisk(skip, '24m', async () => {
      await keep(write('small.png', randomBytes(1000)), {}, 'another');
      const before = everything();
      const file = write('a.png', randomBytes(6 * mebibyte));
      const onProgress = (done: number) => {
        if (done !== chunkBytes) return;
        try {
          writeFileSync(path.join(home, 'ballast'), Buffer.alloc(24 * mebibyte));
        } catch (error) {
          expect(error).toMatchObject({ code: 'ENOSPC' });
        }
      };
      await expect(keep(file, { onProgress })).rejects.toMatchObject(full);
      expect(everything()).toEqual(before);
      rmSync(path.join(home, 'ballast'));
      await keep(file);
      expect(await kept.list(owner)).toHaveLength(1);
    });
  });

  it('that can share bytes, a copy takes no room', async ({ skip }) => {
    const image = path.join(folder.path, 'image');
    const disk = path.join(folder.path, 'disk');
    mkdirSync(disk);
    try {
      execFileSync('filefrag', ['-V'], { stdio: 'ignore' });
      execFileSync('truncate', ['-s', '120M', image], { stdio: 'ignore' });
      execFileSync('mkfs.btrfs', ['-q', image], { stdio: 'ignore' });
      execFileSync('mount', ['-o', 'loop', image, disk], { stdio: 'ignore' });
    } catch {
      skip('a file system that shares bytes can not be made here');
    }
    try {
      const own = createBlobStore(path.join(disk, 'home'));
      const content = randomBytes(mebibyte);
      const file = write('a.png', content, disk);
      await keep(file, {}, owner, own);
      const copy = path.join(disk, 'home', blobFolder, blobKeyOf(owner), digest(content));
      expect(execFileSync('filefrag', ['-v', copy]).toString()).toContain('shared');
      expect(statSync(copy).mode & 0o777).toBe(0o600);
      writeFileSync(file, 'changed');
      expect(await contentOf(await own.open(owner, fileOf(content)))).toEqual(content);
    } finally {
      execFileSync('umount', ['-l', disk]);
    }
  });
});
