import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundling } from '../../scripts/bundling.mjs';

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));

/**
 * Bundles programs (output name to source path) as the build does, into a folder of its own below the
 * repository, where native packages are found: tests that run beside each other don't meet in `dist/`.
 */
export async function bundle(programs: Readonly<Record<string, string>>): Promise<Bundle> {
  const folder = path.join(root, 'test-output', `bundle-${randomBytes(6).toString('hex')}`);
  await build({
    absWorkingDir: root,
    entryPoints: { ...programs },
    outdir: folder,
    ...bundling,
    external: [...bundling.external],
  });
  return {
    program: (name) => path.join(folder, `${name}.js`),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

export interface Bundle {
  /** The path of a built program. */
  program(name: string): string;
  remove(): Promise<void>;
}
