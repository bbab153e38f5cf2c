import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ArtworkError } from '../../src/errors.ts';
import { folderOfHost, locate, parsePath } from '../../src/files/roots.ts';
import { pathsOf } from '../../src/machine.ts';
import { temporaryFolder } from '../support/temporary.ts';

const windows = pathsOf('win32');
const invalid = expect.objectContaining({ failure: 'invalid_arguments' });

describe('an argument', () => {
  it.each([
    ['/pictures/100%25.png', '/pictures/100%25.png'],
    ['/pictures/../other/a.png', '/pictures/../other/a.png'],
    ['file:///pictures/a%20b%23%3F.png', '/pictures/a b#?.png'],
    ['file:///pictures/%E2%98%83.png', '/pictures/☃.png'],
  ])('%s is a path', (given, expected) => {
    expect(parsePath(given, 'file', [], pathsOf('linux'))).toBe(expected);
  });

  it.each([
    '',
    './poster.png',
    'https://example.org/a.png',
    '/pictures/a\0.png',
    'file://server/share/a.png',
    'file:///pictures/a.png?x',
    'file:///pictures/a%00.png',
    'file:///pictures/%ff.png',
    `/${'a'.repeat(40_000)}`,
  ])('%j is none', (given) => {
    expect(() => parsePath(given, 'file', [], pathsOf('darwin'))).toThrow(invalid);
  });

  it.each([
    ['C:\\pictures\\..\\a.png', 'C:\\pictures\\..\\a.png'],
    ['file:///C:/pictures/a%20b.png', 'C:\\pictures\\a b.png'],
    ['\\\\nas\\art\\Show\\a.png', '\\\\nas\\art\\Show\\a.png'],
  ])('%s is a path on Windows, where a share is open', (given, expected) => {
    expect(parsePath(given, 'file', ['\\\\nas\\art'], windows)).toBe(expected);
  });

  it.each([
    '\\\\nas\\artwork\\a.png',
    '\\\\?\\C:\\a.png',
    '/pictures/a.png',
    'C:a.png',
    'C:\\a.png:stream',
    'C:\\pictures\\NUL.png',
    'file://server/share/a.png',
    '\\\\nas\\art\\nul.png',
  ])('%j is none on Windows', (given) => {
    expect(() => parsePath(given, 'file', ['\\\\nas\\art'], windows)).toThrow(invalid);
  });
});

it.each([
  ['win32', 'file:///C:/pictures', 'C:\\pictures'],
  ['win32', 'FILE://NAS/Art%20work/x', '\\\\nas\\Art work\\x'],
  ['win32', 'file://./PhysicalDrive0', null],
  ['win32', 'file://nas/share/nul', null],
  ['linux', 'file:///pictures/a%20b', '/pictures/a b'],
  ['linux', 'file://nas/share', null],
] as const)('on %s the root %s of a host names %s', (platform, uri, expected) => {
  expect(folderOfHost(uri, pathsOf(platform))).toBe(expected);
});

describe('on the disk', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let root: string;
  let elsewhere: string;

  beforeEach(async () => {
    folder = await temporaryFolder();
    root = path.join(folder.path, 'open');
    elsewhere = path.join(folder.path, 'elsewhere');
    mkdirSync(path.join(root, 'deep'), { recursive: true });
    mkdirSync(elsewhere);
    writeFileSync(path.join(root, 'deep', 'a.png'), 'inside');
    writeFileSync(path.join(elsewhere, 'secret.png'), 'outside');
  });
  afterEach(() => folder.remove());

  /** The path, or the error as a caller sees it. */
  const attempt = async (
    given: string,
    configured: readonly string[] = [root],
    host: readonly string[] = [],
  ) => {
    try {
      return (await locate(given, { configured, host })).path;
    } catch (error) {
      if (!(error instanceof ArtworkError)) throw error;
      const { failure, message, details, next } = error;
      return { failure: failure, reason: details?.reason, message, next };
    }
  };
  const inside = () => path.join(root, 'deep', 'a.png');

  it('nothing is open unless somebody names a folder, and only a person does', async () => {
    for (const configured of [[], [path.join(folder.path, 'gone')], [inside()]]) {
      const refused = await attempt(inside(), configured);
      expect(refused).toMatchObject({ failure: 'upload_refused', reason: 'no_roots' });
      expect(refused).not.toHaveProperty('next.tool');
    }
    expect(await attempt('poster.png', [])).toMatchObject({ failure: 'invalid_arguments' });
  });

  it('folders of the settings and of the host are open, the whole disk only by the settings', async () => {
    const host = ['https://example.org/', 'file://server/share', 'nonsense', pathToFileURL(root).href];
    expect(await attempt(pathToFileURL(inside()).href, [], host)).toBe(inside());
    expect(await attempt(inside(), [elsewhere], host)).toBe(inside());
    symlinkSync('/', path.join(folder.path, 'all'));
    const whole = [
      'file://',
      'file:///',
      'file:///tmp/..',
      pathToFileURL(path.join(folder.path, 'all')).href,
    ];
    for (const uri of whole) expect(await attempt(inside(), [], [uri])).toMatchObject({ reason: 'no_roots' });
    expect(await attempt(inside(), ['/'], whole)).toBe(inside());
  });

  it('a file is found whichever way its letters are composed', async () => {
    const [composed, decomposed] = ['Caf\u00e9', 'Cafe\u0301'];
    mkdirSync(path.join(root, decomposed));
    writeFileSync(path.join(root, decomposed, `${decomposed}.png`), 'coffee');
    for (const name of [composed, decomposed]) {
      const found = await attempt(path.join(root, name, `${name}.png`));
      expect(found).toBe(path.join(root, decomposed, `${decomposed}.png`));
    }
    expect(await attempt(path.join(root, 'Cafe'))).toMatchObject({ reason: 'missing' });
  });

  it('links within the open folders are followed, also from elsewhere', async () => {
    symlinkSync(path.join(root, 'deep'), path.join(elsewhere, 'in'));
    symlinkSync('deep', path.join(root, 'link'));
    expect(await attempt(path.join(elsewhere, 'in', 'a.png'))).toBe(inside());
    expect(await attempt(path.join(root, 'link', 'a.png'))).toBe(inside());
  });

  it('of what lies elsewhere the same is said whether it is there or not', async () => {
    symlinkSync(elsewhere, path.join(root, 'out'));
    symlinkSync(path.join(elsewhere, 'secret.png'), path.join(root, 'there.png'));
    symlinkSync(path.join(elsewhere, 'none.png'), path.join(root, 'not-there.png'));
    symlinkSync('loop.png', path.join(root, 'loop.png'));
    const paths = [
      [elsewhere, 'secret.png'],
      [elsewhere, 'none.png'],
      [root, 'deep', '..', '..', 'elsewhere', 'secret.png'],
      [root, 'out', 'secret.png'],
      [root, 'out', 'none.png'],
      [root, 'out', 'secret.png', 'x'],
      [root, 'there.png'],
      [root, 'not-there.png'],
      [root, 'loop.png'],
      [`${root}-other`, 'a.png'],
      ['/nowhere', 'x'],
    ];
    const told = await Promise.all(paths.map((parts) => attempt(parts.join(path.sep))));
    for (const one of told) expect(one).toEqual(told[0]);
    expect(told[0]).toMatchObject({ failure: 'upload_refused', reason: 'outside_roots' });
    rmSync(elsewhere, { recursive: true });
    expect(await attempt(path.join(root, 'out', 'secret.png'))).toEqual(told[0]);
  });
});
