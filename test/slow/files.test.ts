import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Copies, copiesFolder, createCopies } from '../../src/files/copies.ts';
import { openFile } from '../../src/files/open-file.ts';
import { modes, modesOf } from '../../src/machine.ts';
import { temporaryFolder } from '../support/temporary.ts';

const mebibyte = 1024 * 1024;
const posix = process.platform !== 'win32';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let root: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  root = path.join(folder.path, 'open');
  mkdirSync(root);
});
afterEach(() => folder.remove());

const open = (file: string) => openFile(file, { configured: [root], host: [] });

describe.runIf(posix)('between the look at a path and its opening', () => {
  /** What was read in some seconds in which two things took each other's place all the time. */
  async function readWhileSwapped(file: string, place: string, other: string): Promise<Set<string>> {
    const swapper = spawn(process.execPath, ['test/files/swapper.mjs', place, other], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(swapper.stdout, 'data');
    const read = new Set<string>();
    for (const until = Date.now() + 4_000; Date.now() < until; ) {
      const opened = await open(file).catch((error: unknown) => {
        expect(error).toMatchObject({ failure: 'upload_refused' });
        return null;
      });
      const content = Buffer.alloc(opened?.length ?? 0);
      await opened?.readAt(0, content);
      await opened?.close();
      read.add(opened === null ? 'refused' : content.toString());
    }
    swapper.kill('SIGKILL');
    return read;
  }

  it.each([
    ['linux', 'folder'],
    ['linux', 'file'],
    ['darwin', 'folder'],
    ['darwin', 'file'],
  ] as const)('nothing outside is read as on %s, while a %s becomes a link', async (platform, what) => {
    vi.spyOn(modes, 'pathOfDescriptor').mockImplementation(modesOf(platform).pathOfDescriptor);
    onTestFinished(() => void vi.restoreAllMocks());
    const elsewhere = path.join(folder.path, 'elsewhere');
    for (const place of [elsewhere, path.join(root, 'deep')]) mkdirSync(place);
    writeFileSync(path.join(elsewhere, 'a.png'), 'outside');
    const file = path.join(root, 'deep', 'a.png');
    writeFileSync(file, 'inside');
    const [place, link] =
      what === 'folder' ? [path.dirname(file), elsewhere] : [file, path.join(elsewhere, 'a.png')];
    symlinkSync(link, path.join(root, 'link'));
    const read = await readWhileSwapped(file, place, path.join(root, 'link'));
    expect(read).toEqual(new Set(['refused', 'inside']));
  });

  it('nobody waits for a pipe', async () => {
    const file = path.join(root, 'a.png');
    writeFileSync(file, 'inside');
    execFileSync('mkfifo', [path.join(root, 'pipe')]);
    await expect(open(path.join(root, 'pipe'))).rejects.toMatchObject({ details: { reason: 'not_regular' } });
    const read = await readWhileSwapped(file, file, path.join(root, 'pipe'));
    expect(read).toEqual(new Set(['refused', 'inside']));
  });
});

async function keep(copies: Copies, keeper: string, content: Buffer): Promise<string> {
  const name = path.join(root, 'a.png');
  writeFileSync(name, content);
  const file = await open(name);
  try {
    return (await copies.keep(keeper, file)).sha256;
  } finally {
    await file.close();
  }
}

describe.runIf(posix)('on a disk', () => {
  const withDisk = async (
    disk: string,
    { mount, skip }: { readonly mount: string[]; skip(why: string): void },
    work: () => Promise<void>,
  ): Promise<void> => {
    mkdirSync(disk, { mode: 0o700 });
    try {
      execFileSync('mount', [...mount, disk], { stdio: 'ignore' });
    } catch {
      skip('a file system can not be mounted here');
    }
    await work().finally(() => execFileSync('umount', ['-l', disk]));
  };

  it('that becomes full nothing of the file is left, and the call can be made again', async ({ skip }) => {
    const home = path.join(folder.path, 'home');
    const mount = ['-t', 'tmpfs', '-o', 'size=24m,mode=0700', 'tmpfs'];
    await withDisk(home, { mount, skip }, async () => {
      const copies = createCopies(home, async () => 'store');
      const full = { failure: 'internal', code: 'store_full' };
      writeFileSync(path.join(home, 'ballast'), Buffer.alloc(22 * mebibyte));
      await expect(keep(copies, 'keeper', randomBytes(4 * mebibyte))).rejects.toMatchObject(full);
      expect(readdirSync(path.join(home, copiesFolder, 'store', 'keeper'))).toEqual([]);
      rmSync(path.join(home, 'ballast'));
      await keep(copies, 'keeper', randomBytes(4 * mebibyte));
    });
  });

  it('that can share bytes, a copy takes no room', async ({ skip }) => {
    const [image, disk] = [path.join(folder.path, 'image'), path.join(folder.path, 'disk')];
    try {
      execFileSync('filefrag', ['-V'], { stdio: 'ignore' });
      execFileSync('truncate', ['-s', '120M', image], { stdio: 'ignore' });
      execFileSync('mkfs.btrfs', ['-q', image], { stdio: 'ignore' });
    } catch {
      skip('a file system that shares bytes can not be made here');
    }
    await withDisk(disk, { mount: ['-o', 'loop', image], skip }, async () => {
      root = disk;
      const copies = createCopies(path.join(disk, 'home'), async () => 'store');
      const sha256 = await keep(copies, 'keeper', randomBytes(mebibyte));
      const copy = path.join(disk, 'home', copiesFolder, 'store', 'keeper', sha256);
      expect(execFileSync('filefrag', ['-v', copy]).toString()).toContain('shared');
      expect(statSync(copy).mode & 0o777).toBe(0o600);
    });
  });
});
