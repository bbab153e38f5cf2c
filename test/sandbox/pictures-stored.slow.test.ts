import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { storedPicture } from '../../src/sandbox/pictures/stored-picture.ts';
import { bundle } from '../support/bundle.ts';
import { temporaryFolder } from '../support/temporary.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

describe('keptPicture', () => {
  it('draws at the first request and reads afterwards', async () => {
    const kept = path.join(folder.path, 'not', 'there', 'yet');
    let drawn = 0;
    const draw = async () => Buffer.from(`picture ${++drawn}`);
    expect((await storedPicture(kept, 'a.png', draw)).toString()).toBe('picture 1');
    expect((await storedPicture(kept, 'a.png', draw)).toString()).toBe('picture 1');
    expect((await storedPicture(kept, 'b.png', draw)).toString()).toBe('picture 2');
    expect(await readFile(path.join(kept, 'a.png'), 'utf8')).toBe('picture 1');
    expect((await stat(path.join(kept, 'a.png'))).mode & 0o077).toBe(0);
  });

  it('keeps what another process has put there meanwhile', async () => {
    const draw = async () => {
      await writeFile(path.join(folder.path, 'a.png'), 'their picture');
      return Buffer.from('our picture');
    };
    expect((await storedPicture(folder.path, 'a.png', draw)).toString()).toBe('their picture');
    expect(await readdir(folder.path)).toEqual(['a.png']);
  });

  it('draws once for requests that come together', async () => {
    let drawn = 0;
    const draw = async () => {
      drawn++;
      await new Promise((resolve) => setImmediate(resolve));
      return Buffer.from('picture');
    };
    const found = await Promise.all(
      Array.from({ length: 50 }, () => storedPicture(folder.path, 'a.webp', draw)),
    );
    expect(drawn).toBe(1);
    expect(found.every((bytes) => bytes.toString() === 'picture')).toBe(true);
  });

  it('passes a failure on to all waiting requests, and tries again afterwards', async () => {
    const broken = () => Promise.reject(new Error('no paint'));
    const both = await Promise.allSettled([
      storedPicture(folder.path, 'a.png', broken),
      storedPicture(folder.path, 'a.png', broken),
    ]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await readdir(folder.path)).toEqual([]);
    const bytes = await storedPicture(folder.path, 'a.png', async () => Buffer.from('picture'));
    expect(bytes.toString()).toBe('picture');
  });

  it('leaves no scraps where it can not write', async () => {
    await writeFile(path.join(folder.path, 'file'), '');
    await expect(
      storedPicture(path.join(folder.path, 'file'), 'a.png', async () => Buffer.from('picture')),
    ).rejects.toThrow(/ENOTDIR|EEXIST/);
    expect(await readdir(folder.path)).toEqual(['file']);
  });

  it.each([
    '',
    '.',
    '..',
    '../a.png',
    'a/b.png',
    'a\\b.png',
    '/etc/passwd',
    'C:a.png',
    '.hidden.png',
    'a\u0000.png',
    'A.png',
    'a.png.',
    'con.png',
    'nul',
    'a'.repeat(201),
    'ä.png',
    'a.png\n',
  ])('refuses the key %j', async (key) => {
    let drawn = false;
    const draw = async () => {
      drawn = true;
      return Buffer.from('picture');
    };
    await expect(storedPicture(folder.path, key, draw)).rejects.toThrow(RangeError);
    expect(drawn).toBe(false);
    expect(await readdir(folder.path)).toEqual([]);
  });

  it('never shows a part of a picture to several processes', async () => {
    const built = await bundle({ kept: 'test/sandbox/pictures-stored-process.ts' });
    try {
      const processes = Array.from({ length: 6 }, () =>
        spawn(process.execPath, [built.program('kept'), folder.path], {
          stdio: ['ignore', 'pipe', 'inherit'],
        }),
      );
      const answers = await Promise.all(
        processes.map(async (child) => {
          let output = '';
          child.stdout.setEncoding('utf8').on('data', (text: string) => {
            output += text;
          });
          const [code] = await once(child, 'close');
          return { code, output };
        }),
      );
      expect(answers).toEqual(answers.map(() => ({ code: 0, output: 'whole' })));
      expect((await readdir(folder.path)).sort()).toEqual(
        Array.from({ length: 40 }, (_, index) => `p-${index + 10}.png`),
      );
    } finally {
      await built.remove();
    }
  });
});
