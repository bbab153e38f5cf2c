import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  deepest,
  findFolder,
  mostEntries,
  mostPictures,
  walkFolder,
} from '../../../src/curation/plan/folder.ts';
import { ArtworkError } from '../../../src/errors.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { fillFolder } from '../folders.ts';

let home: Awaited<ReturnType<typeof temporaryFolder>>;
let root: string;

beforeAll(async () => {
  home = await temporaryFolder();
  root = path.join(home.path, 'open');
  await fillFolder(home.path, {
    'open/here/a.png': 'x',
    'outside/secret.png': 'x',
  });
});

afterAll(() => home.remove());

const find = (folder: string) => findFolder(folder, { configured: [root], host: [] });
const read = async (folder: string, signal?: AbortSignal) => walkFolder(await find(folder), signal);

async function refusal(work: Promise<unknown>): Promise<ArtworkError> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof ArtworkError) return error;
  throw new Error(`No refusal, but ${String(error)}.`);
}

describe('a folder', () => {
  it('is named by a path or a file: URI, whatever it is called', async () => {
    const odd = path.join(root, 'a # ? % ü 日本');
    await fillFolder(odd, { 'b.png': 'x' });
    for (const named of [odd, `${odd}${path.sep}`, pathToFileURL(odd).href]) {
      expect((await read(named)).files).toEqual(['b.png']);
    }
  });

  it('is refused where it is none, is not there or is not open, with what to do', async () => {
    const file = await refusal(find(path.join(root, 'here/a.png')));
    expect(file).toMatchObject({ failure: 'invalid_arguments', issues: [{ code: 'folder' }] });
    const missing = await refusal(find(path.join(root, 'nowhere')));
    expect(missing).toMatchObject({ failure: 'upload_refused', details: { reason: 'missing' } });
    const relative = await refusal(find('here'));
    expect(relative).toMatchObject({ failure: 'invalid_arguments' });
    const outside = await refusal(find(path.join(home.path, 'outside')));
    const nowhere = await refusal(find(path.join(home.path, 'nowhere')));
    expect(outside).toMatchObject({ details: { reason: 'outside_roots' } });
    // Whether it exists is not said.
    expect(nowhere.message).toBe(outside.message);
    const closed = await refusal(findFolder(root, { configured: [], host: [] }));
    expect(closed).toMatchObject({ details: { reason: 'no_roots' } });
  });

  it('follows no link out of the roots, nor one to a folder', async () => {
    const folder = path.join(root, 'links');
    await mkdir(folder);
    await symlink(path.join(home.path, 'outside'), path.join(folder, 'out'));
    await symlink(path.join(home.path, 'outside/secret.png'), path.join(folder, 'secret.png'));
    await symlink(path.join(root, 'here'), path.join(folder, 'in'));
    await symlink(path.join(root, 'here/a.png'), path.join(folder, 'a.png'));
    await symlink(folder, path.join(folder, 'self.png'));
    const { files, passed, named } = await read(folder);
    expect(files).toEqual(['a.png']);
    expect(passed).toEqual({ link: 4 });
    expect(named.map((each) => each.path)).toEqual(['in', 'out', 'secret.png', 'self.png']);
    const through = await refusal(find(path.join(folder, 'out')));
    expect(through).toMatchObject({ details: { reason: 'outside_roots' } });
  });

  it('may hold so much, and no more; what lies too deep is named', async () => {
    const folder = path.join(root, 'deep');
    const levels = Array.from({ length: deepest }, (_, at) => `level ${at}`).join('/');
    await fillFolder(folder, { [`${levels}/a.png`]: 'x' });
    expect((await read(folder)).files).toHaveLength(1);
    await fillFolder(folder, { [`${levels}/more/b.png`]: 'x' });
    // One folder that lies too deep is one problem, and not the end of the plan.
    const deeper = await read(folder);
    expect(deeper.files).toHaveLength(1);
    expect(deeper.named).toEqual([{ path: `${levels}/more`, why: 'too_deep' }]);

    const full = path.join(root, 'full');
    await mkdir(full);
    const names = Array.from({ length: mostPictures + 1 }, (_, at) => path.join(full, `${at}.png`));
    await Promise.all(names.map((name) => writeFile(name, '')));
    expect(await refusal(read(full))).toMatchObject({
      failure: 'invalid_arguments',
      issues: [{ code: 'folder', path: ['folder'] }],
    });
    expect(mostEntries).toBeGreaterThan(mostPictures);
  });
});
