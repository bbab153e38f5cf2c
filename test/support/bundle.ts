import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundling } from '../../scripts/bundling.mjs';
import { rowsName } from '../../src/sandbox/seed/fill.ts';
import { oncePerRun } from './once-per-run.ts';

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));

/**
 * Bundles programs (output name to source path) as the build does: tests that run beside a build don't meet
 * in `dist/`. The same programs are bundled once in a run.
 */
export async function bundle(programs: Readonly<Record<string, string>>): Promise<Bundle> {
  const folder = await oncePerRun(`bundle ${JSON.stringify(programs)}`, async (outdir) => {
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: { ...programs },
      outdir,
      ...bundling,
      external: [...bundling.external],
      plugins: [...bundling.plugins],
      metafile: true,
    });
    // A catalogue is filled with the rows that the build has written, and looks for them beside its program.
    if ('src/sandbox/seed/fill.ts' in metafile.inputs)
      await copyFile(path.join(root, 'dist', rowsName), path.join(outdir, rowsName));
  });
  return {
    program: (name) => path.join(folder, `${name}.js`),
    remove: async () => {},
  };
}

export interface Bundle {
  /** The path of a built program. */
  program(name: string): string;
  /** Other test files may use it too: it goes with the run. */
  remove(): Promise<void>;
}
