// Bundles the player and runs it: npm run test:hosts -- [NAME…]
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { bundling } from '../../scripts/bundling.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const folder = path.join(root, 'test-output', `hosts-${randomBytes(6).toString('hex')}`);
try {
  await build({
    absWorkingDir: root,
    entryPoints: { hosts: 'test/hosts/main.ts' },
    outdir: folder,
    ...bundling,
    external: [...bundling.external],
  });
  const { main } = await import(pathToFileURL(path.join(folder, 'hosts.js')).href);
  process.exitCode = await main(root, process.argv.slice(2));
} finally {
  await rm(folder, { recursive: true, force: true });
}
