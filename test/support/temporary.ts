import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A new folder of this test's own. `remove` takes it and everything in it away. */
export async function temporaryFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(path.join(await realpath(tmpdir()), 'artwork-'));
  // Retries: on Windows a file is held for a moment after its process has ended.
  return { path: folder, remove: () => rm(folder, { recursive: true, force: true, maxRetries: 20 }) };
}
