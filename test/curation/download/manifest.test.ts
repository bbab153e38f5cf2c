import { appendFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type WrittenFile, withManifest } from '../../../src/curation/download/manifest.ts';
import { deadlineIn } from '../../../src/deadline.ts';
import { temporaryFolder } from '../../support/temporary.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let root: { path: string; home: string };

beforeEach(async () => {
  folder = await temporaryFolder();
  root = { path: path.join(folder.path, 'library'), home: path.join(folder.path, 'home') };
  await mkdir(root.path);
});

afterEach(async () => {
  await folder.remove();
});

const written: WrittenFile = { digests: ['a'.repeat(64)], source: 's/a.png', setUpdated: null, by: 'x' };
const ports = (ms = 60_000) => ({ root, deadline: deadlineIn(ms) });

/** The manifest's own file. */
async function fileThere(): Promise<string> {
  const names = await readdir(path.join(root.home, 'downloads'));
  return path.join(root.home, 'downloads', names.find((name) => name.endsWith('.json')) ?? '');
}

it('is one line at the end of a run, and holds what every run has noted', async () => {
  await withManifest(ports(), ({ note }) => note('files', 'a', written));
  await withManifest(ports(), ({ note }) => note('named', 'b', 'b'.repeat(64)));
  const text = await readFile(await fileThere(), 'utf8');
  expect(text.trimEnd().split('\n')).toHaveLength(1);
  expect(JSON.parse(text)).toMatchObject({ root: root.path, files: { a: written } });
  const found = await withManifest(ports(), async ({ files, named }) => [files.get('a'), named.size]);
  expect(found).toEqual([written, 1]);
});

it('keeps what a killed run has noted, and not the line that was cut short', async () => {
  await withManifest(ports(), async () => {});
  await appendFile(await fileThere(), `\n${JSON.stringify({ files: { a: written } })}\n\n{"files":{"b":`);
  await withManifest(ports(), ({ note }) => note('files', 'c', written));
  expect(await withManifest(ports(), async ({ files }) => [...files.keys()])).toEqual(['a', 'c']);
});

it('that is damaged is an error, and stays as it is', async () => {
  await withManifest(ports(), async () => {});
  await writeFile(await fileThere(), '{"files": 7}\n');
  const failed = { failure: 'conflict', code: 'download_manifest_damaged' };
  await expect(withManifest(ports(), async () => {})).rejects.toMatchObject(failed);
  expect(await readFile(await fileThere(), 'utf8')).toBe('{"files": 7}\n');
});

it('is of one run at a time, and free again after one that failed', async () => {
  await withManifest(ports(), async () => {
    const busy = { failure: 'conflict', code: 'download_busy' };
    await expect(withManifest(ports(0), async () => {})).rejects.toMatchObject(busy);
  });
  await expect(withManifest(ports(), () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await withManifest(ports(), async ({ files }) => files.size)).toBe(0);
});
