import { existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { startPostgres } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder of this run, for what is made once and used by many test files. */
    runFolder: string;
  }
}

/**
 * Before all tests: a folder below the repository, where bundled programs find native packages; and the server that
 * they run on, where they are to run on PostgreSQL.
 * @returns what takes both away after them.
 */
export default async function makeRunFolder(project: TestProject): Promise<() => Promise<void>> {
  const above = path.join(project.config.root, 'test-output');
  await mkdir(above, { recursive: true });
  const folder = await mkdtemp(path.join(above, 'run-'));
  project.provide('runFolder', folder);
  const postgres = process.env.ARTWORK_TEST_STORE === 'postgres' ? await startPostgres() : null;
  if (postgres !== null) process.env.ARTWORK_TEST_STORE = postgres.url;
  return async () => {
    await postgres?.end();
    await endLeftBehind(path.join(folder, 'left-behind'));
    await rm(folder, { recursive: true, force: true, maxRetries: 20 });
  };
}

/** Ends the processes that workers share among their tests; each left a file with its id, which holds its folder. */
async function endLeftBehind(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    try {
      process.kill(Number(name), 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
    await rm(await readFile(path.join(folder, name), 'utf8'), {
      recursive: true,
      force: true,
      maxRetries: 20,
    });
  }
}
