import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { systemCode } from '../sandbox-error.ts';
import type { Database } from '../store/database.ts';
import type { Format } from './limits.ts';
import { type StagedFile, stagingFolder } from './receive.ts';

/** A file among the kept pictures. Whoever moved it there takes it away again when nothing comes of it. */
export interface KeptFile {
  /** Its key among the kept pictures: what `uploaded_file` of an Asset says. */
  readonly key: string;
  remove(): Promise<void>;
}

const prefix = 'upload-';

/** Moves an arrived file to where public reads find it, before anything refers to it. */
export async function keepFile(
  staged: Pick<StagedFile, 'path'>,
  dataDir: string,
  assetId: string,
  format: Format,
): Promise<KeptFile> {
  const folder = path.join(dataDir, 'pictures');
  const key = `${prefix}${assetId}.${format}`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await rename(staged.path, path.join(folder, key));
  return { key, remove: () => rm(path.join(folder, key), { force: true }) };
}

/** Takes away kept files that nothing refers to any more; harmless when they are gone. */
export async function removeKept(dataDir: string, keys: readonly string[]): Promise<void> {
  await Promise.all(keys.map((key) => rm(path.join(dataDir, 'pictures', key), { force: true })));
}

const ageMs = 60 * 60_000;

/**
 * Takes away what a process that was killed in the middle of an upload has left: files of an hour ago that
 * nothing refers to. `referred` says of a kept file whether something beside the Assets does.
 */
export async function sweepUploads(
  database: Database,
  dataDir: string,
  referred: (key: string) => boolean,
): Promise<void> {
  const isAsset = (key: string) =>
    database.first('SELECT 1 FROM assets WHERE uploaded_file = ?', key) !== undefined;
  await sweep(stagingFolder(dataDir), '', () => false);
  await sweep(path.join(dataDir, 'pictures'), prefix, (key) => isAsset(key) || referred(key));
}

async function sweep(folder: string, start: string, wanted: (file: string) => boolean): Promise<void> {
  const oldest = Date.now() - ageMs;
  const files = (await unlessGone(readdir(folder))) ?? [];
  for (const file of files.filter((name) => name.startsWith(start) && !wanted(name))) {
    const found = await unlessGone(stat(path.join(folder, file)));
    if (found !== undefined && found.mtimeMs < oldest) await rm(path.join(folder, file), { force: true });
  }
}

/** Another process may be sweeping too. */
async function unlessGone<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
