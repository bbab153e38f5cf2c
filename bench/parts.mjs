// Parts of this project as one module, for a bench to import or to run.
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { bundling } from '../scripts/bundling.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** @param contents what is exported, by paths from the root */
export async function loadParts(contents) {
  const outfile = path.join(root, 'test-output', `bench-${process.pid}-${performance.now()}.mjs`);
  await build({ ...bundling, splitting: false, stdin: { contents, resolveDir: root }, outfile });
  try {
    return await import(pathToFileURL(outfile).href);
  } finally {
    await rm(outfile, { force: true });
  }
}
