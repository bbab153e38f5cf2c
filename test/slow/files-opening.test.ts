import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ArtworkError } from '../../src/errors.ts';
import { openUploadFile } from '../../src/files/open-file.ts';
import { modes, modesOf } from '../../src/machine.ts';
import { bundle } from '../support/bundle.ts';
import { temporaryFolder } from '../support/temporary.ts';

const posix = process.platform !== 'win32';
const superuser = process.getuid?.() === 0;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let root: string;
let elsewhere: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  root = path.join(folder.path, 'open');
  elsewhere = path.join(folder.path, 'elsewhere');
  mkdirSync(path.join(root, 'deep'), { recursive: true });
  mkdirSync(elsewhere);
  writeFileSync(path.join(root, 'a.png'), 'inside');
  writeFileSync(path.join(root, 'deep', 'b.png'), 'inside');
  writeFileSync(path.join(elsewhere, 'secret.png'), 'outside');
});
afterEach(() => folder.remove());

/** What it holds, or the error as a caller sees it. */
async function attempt(file: string, configured: readonly string[] = [root], host: readonly string[] = []) {
  try {
    const opened = await openUploadFile(file, { configured, host });
    try {
      return (await opened.handle.readFile()).toString();
    } finally {
      await opened.close();
    }
  } catch (error) {
    if (!(error instanceof ArtworkError)) throw error;
    const { category, code, message, details, next } = error;
    return { category, code, message, details, next };
  }
}

const refusedFor = (reason: string) => ({
  category: 'upload_refused',
  code: 'upload_refused',
  details: { reason },
});

describe('folders that are open for uploads', () => {
  it('are none unless somebody names one, and the setting is told', async () => {
    const refused = await attempt(path.join(root, 'a.png'), []);
    expect(refused).toMatchObject(refusedFor('no_roots'));
    expect(refused).toMatchObject({ message: expect.stringContaining('ARTWORK_UPLOAD_ROOTS') });
    expect(refused).toMatchObject({ next: { why: expect.stringContaining('ARTWORK_UPLOAD_ROOTS') } });
    expect(refused).not.toHaveProperty('next.tool');
  });

  it('that do not exist are as none', async () => {
    const gone = path.join(folder.path, 'gone');
    expect(await attempt(path.join(root, 'a.png'), [gone])).toMatchObject(refusedFor('no_roots'));
    expect(await attempt(path.join(root, 'a.png'), [path.join(root, 'a.png')])).toMatchObject(
      refusedFor('no_roots'),
    );
  });

  it('are looked up anew each time', async () => {
    const later = path.join(folder.path, 'later');
    expect(await attempt(path.join(later, 'a.png'), [later])).toMatchObject(refusedFor('no_roots'));
    mkdirSync(later);
    writeFileSync(path.join(later, 'a.png'), 'now');
    expect(await attempt(path.join(later, 'a.png'), [later])).toBe('now');
  });

  it('are those of the settings and those of the host, whichever can be understood', async () => {
    const host = ['https://example.org/', 'file://server/share', 'nonsense', pathToFileURL(root).href];
    expect(await attempt(path.join(root, 'a.png'), [], host)).toBe('inside');
    expect(await attempt(path.join(root, 'a.png'), [elsewhere], host)).toBe('inside');
    expect(await attempt(path.join(elsewhere, 'secret.png'), [elsewhere], host)).toBe('outside');
    expect(await attempt(path.join(root, 'a.png'), [], host.slice(0, 3))).toMatchObject(
      refusedFor('no_roots'),
    );
  });

  it('may be called by a link, and files may be called through one', async () => {
    const link = path.join(folder.path, 'link');
    symlinkSync(root, link, 'junction');
    expect(await attempt(path.join(root, 'a.png'), [link])).toBe('inside');
    expect(await attempt(path.join(link, 'a.png'), [root])).toBe('inside');
    expect(await attempt(path.join(link, 'deep', 'b.png'), [link])).toBe('inside');
  });
});

describe('a file in them', () => {
  it('is opened by its path and by its URI', async () => {
    const spaced = path.join(root, 'deep', 'a b#%3F.png');
    writeFileSync(spaced, 'spaced');
    expect(await attempt(path.join(root, 'deep', '..', 'a.png'))).toBe('inside');
    expect(await attempt(pathToFileURL(spaced).href)).toBe('spaced');
    expect(await attempt(spaced)).toBe('spaced');
  });

  it('is found whichever way its letters are composed', async () => {
    const composed = 'Caf\u00e9';
    const decomposed = 'Cafe\u0301';
    mkdirSync(path.join(root, decomposed));
    writeFileSync(path.join(root, decomposed, `${decomposed}.png`), 'coffee');
    for (const name of [composed, decomposed]) {
      expect(await attempt(path.join(root, name, `${name}.png`))).toBe('coffee');
    }
  });

  it.runIf(process.platform === 'linux')(
    'of two that differ in that alone, is the one that is named',
    async () => {
      writeFileSync(path.join(root, 'e\u0301o\u0301.png'), 'decomposed');
      writeFileSync(path.join(root, '\u00e9\u00f3.png'), 'composed');
      expect(await attempt(path.join(root, 'e\u0301o\u0301.png'))).toBe('decomposed');
      expect(await attempt(path.join(root, '\u00e9\u00f3.png'))).toBe('composed');
      expect(await attempt(path.join(root, '\u00e9o\u0301.png'))).toMatchObject(refusedFor('missing'));
    },
  );

  it('with a name as long as can be is opened, and a longer one is missing', async () => {
    const name = `${'n'.repeat(251)}.png`;
    writeFileSync(path.join(root, name), 'long');
    expect(await attempt(path.join(root, name))).toBe('long');
    expect(await attempt(path.join(root, `n${name}`))).toMatchObject(refusedFor('missing'));
  });

  it('that is not there is missing', async () => {
    for (const name of ['x.png', 'x/y/z.png', 'a.png/x', 'deep/../x.png', 'A.png/']) {
      expect(await attempt(`${root}/${name}`)).toMatchObject(refusedFor('missing'));
    }
  });

  it('that is empty is refused', async () => {
    truncateSync(path.join(root, 'a.png'), 0);
    expect(await attempt(path.join(root, 'a.png'))).toMatchObject(refusedFor('empty'));
  });

  it('that is a folder is refused, the root too', async () => {
    for (const file of [root, path.join(root, 'deep'), `${root}/`]) {
      expect(await attempt(file)).toMatchObject(refusedFor('not_regular'));
    }
  });

  it.runIf(posix)('that is a pipe or a socket is refused, and nobody waits for it', async () => {
    execFileSync('mkfifo', [path.join(root, 'pipe.png')]);
    const server = net.createServer().listen(path.join(root, 'socket.png'));
    await once(server, 'listening');
    onTestFinished(async () => {
      server.close();
      await once(server, 'close');
    });
    for (const name of ['pipe.png', 'socket.png']) {
      expect(await attempt(path.join(root, name))).toMatchObject(refusedFor('not_regular'));
    }
  });

  it.runIf(posix)('that is a device is refused', async ({ skip }) => {
    try {
      execFileSync('mknod', [path.join(root, 'zero.png'), 'c', '1', '5'], { stdio: 'ignore' });
    } catch {
      skip('a device can not be made here');
    }
    expect(await attempt(path.join(root, 'zero.png'))).toMatchObject(refusedFor('not_regular'));
    expect(await attempt('/dev/zero', ['/dev'])).toMatchObject(refusedFor('not_regular'));
  });

  it.runIf(posix)('that may not be read is said to be', async ({ skip }) => {
    if (!superuser) skip('another user can only be taken on by root');
    const built = await bundle({ opener: 'test/files/opener.ts' });
    const child = spawn(process.execPath, [built.program('opener'), '65534'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const ask = async (file: string): Promise<unknown> => {
      child.stdin.write(`${JSON.stringify({ file, root })}\n`);
      return JSON.parse((await lines.next()).value ?? 'null');
    };
    onTestFinished(async () => {
      child.stdin.end();
      await once(child, 'exit');
      await built.remove();
    });
    chmodSync(folder.path, 0o755);
    expect(await ask(path.join(root, 'a.png'))).toEqual({ length: 6 });
    chmodSync(path.join(root, 'a.png'), 0);
    chmodSync(path.join(root, 'deep'), 0);
    const unreadable = { category: 'upload_refused', details: { reason: 'unreadable' } };
    expect(await ask(path.join(root, 'a.png'))).toMatchObject(unreadable);
    expect(await ask(path.join(root, 'deep', 'b.png'))).toMatchObject(unreadable);
    expect(await ask(path.join(root, 'deep', 'x.png'))).toMatchObject(unreadable);
    // Of what lies elsewhere nothing is said, not even that it may not be read.
    chmodSync(elsewhere, 0);
    expect(await ask(path.join(elsewhere, 'secret.png'))).toEqual(await ask(path.join(elsewhere, 'x.png')));
    expect(await ask('/root/x')).toEqual(await ask('/nowhere/x'));
  });
});

describe('what lies outside of them', () => {
  it('is refused in the same words whether it exists or not', async () => {
    symlinkSync(path.join(elsewhere, 'secret.png'), path.join(root, 'link.png'));
    symlinkSync(path.join(elsewhere, 'no.png'), path.join(root, 'dangling.png'));
    symlinkSync(elsewhere, path.join(root, 'folder'), 'junction');
    symlinkSync('loop', path.join(root, 'loop'));
    const refusals = [];
    for (const file of [
      path.join(elsewhere, 'secret.png'),
      path.join(elsewhere, 'no.png'),
      elsewhere,
      path.join(folder.path, 'no', 'no.png'),
      folder.path,
      '/',
      '/no.png',
      `${root}2/a.png`,
      `${root}/../elsewhere/secret.png`,
      `${root}/../elsewhere/no.png`,
      `${root}/deep/../../elsewhere/secret.png/x`,
      path.join(root, 'link.png'),
      path.join(root, 'dangling.png'),
      path.join(root, 'loop'),
      path.join(root, 'loop', 'x.png'),
      `${root}/link.png/x`,
      `${root}/folder/secret.png`,
      `${root}/folder/no.png`,
      `${root}/folder/../open/a.png/../../elsewhere/no.png`,
      `${root}/folder`,
    ]) {
      refusals.push({ file, refused: await attempt(file) });
    }
    const [first] = refusals;
    expect(first?.refused).toMatchObject(refusedFor('outside_roots'));
    for (const { file, refused } of refusals)
      expect({ file, refused }).toEqual({ file, refused: first?.refused });
    expect(JSON.stringify(first?.refused)).not.toContain('elsewhere');
    expect(first?.refused).toMatchObject({ message: expect.stringContaining(root) });
  });

  it('is refused though a link in the roots that was followed comes back', async () => {
    symlinkSync(elsewhere, path.join(root, 'folder'), 'junction');
    // Behind the link, .. is elsewhere's parent.
    expect(await attempt(`${root}/folder/../open/a.png`)).toBe('inside');
  });
});

/** While another process swaps two things, nothing of what lies outside must ever be read. */
describe.runIf(posix)('between the check and the opening', () => {
  const swapping = async (place: string, other: string) => {
    const child = spawn(
      process.execPath,
      [path.join(import.meta.dirname, '../files/swapper.mjs'), place, other],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    await once(child.stdout, 'data');
    return async () => {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    };
  };
  const race = async (file: string, place: string, other: string) => {
    const stop = await swapping(place, other);
    const outcomes = new Map<string, number>();
    try {
      for (let round = 0; round < 1000; round += 1) {
        const outcome = await attempt(file);
        const said = typeof outcome === 'string' ? outcome : String(outcome.details?.reason);
        outcomes.set(said, (outcomes.get(said) ?? 0) + 1);
      }
    } finally {
      await stop();
    }
    return outcomes;
  };
  const allowed = new Set([
    'inside',
    'outside_roots',
    'missing',
    'source_changed',
    'unreadable',
    'not_regular',
  ]);

  it('a file that becomes a link out is not read', async () => {
    const place = path.join(root, 'a.png');
    const other = path.join(root, 'other.png');
    symlinkSync(path.join(elsewhere, 'secret.png'), other);
    const outcomes = await race(place, place, other);
    expect([...outcomes.keys()].filter((said) => !allowed.has(said))).toEqual([]);
    expect(outcomes.get('inside')).toBeGreaterThan(0);
    expect(outcomes.size).toBeGreaterThan(1);
  });

  const foldersSwapped = async () => {
    const place = path.join(root, 'deep');
    const other = path.join(root, 'other');
    writeFileSync(path.join(elsewhere, 'b.png'), 'outside');
    symlinkSync(elsewhere, other);
    const outcomes = await race(path.join(place, 'b.png'), place, other);
    expect([...outcomes.keys()].filter((said) => !allowed.has(said))).toEqual([]);
    expect(outcomes.get('inside')).toBeGreaterThan(0);
    expect(outcomes.size).toBeGreaterThan(1);
  };

  it('a folder that becomes a link out is not read through', foldersSwapped);

  it('a folder that becomes a link out is not read through, where the system tells less than Linux', async () => {
    vi.spyOn(modes, 'pathOfDescriptor').mockImplementation(modesOf('darwin').pathOfDescriptor);
    await foldersSwapped();
  });

  it('a file that becomes a pipe makes nobody wait', async () => {
    const place = path.join(root, 'a.png');
    const other = path.join(root, 'other.png');
    execFileSync('mkfifo', [other]);
    const outcomes = await race(place, place, other);
    expect([...outcomes.keys()].filter((said) => !allowed.has(said))).toEqual([]);
    expect(outcomes.get('inside')).toBeGreaterThan(0);
    expect(outcomes.size).toBeGreaterThan(1);
  });

  it('nothing stays open', async ({ skip }) => {
    if (process.platform !== 'linux') skip('only Linux tells what is open');
    const before = readdirSync('/proc/self/fd').length;
    for (const file of ['a.png', 'x.png', 'deep', '../elsewhere/secret.png']) {
      for (let round = 0; round < 20; round += 1) await attempt(path.join(root, file));
    }
    rmSync(path.join(root, 'a.png'));
    expect(readdirSync('/proc/self/fd').length).toBeLessThan(before + 10);
  });
});
