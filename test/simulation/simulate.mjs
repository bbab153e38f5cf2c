// Bundles the simulation and runs it: npm run simulate -- --schedules N --seed S
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { bundling } from '../../scripts/bundling.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const folder = path.join(root, 'test-output', `simulation-${randomBytes(6).toString('hex')}`);
try {
  await build({
    absWorkingDir: root,
    entryPoints: { simulate: 'test/simulation/simulate.ts' },
    outdir: folder,
    ...bundling,
    external: [...bundling.external],
  });
  await import(pathToFileURL(path.join(folder, 'simulate.js')).href);
} finally {
  await rm(folder, { recursive: true, force: true });
}
