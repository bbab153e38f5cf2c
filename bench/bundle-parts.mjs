// Parts of this project as one module, for a bench to import or to run.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** @param contents what is exported, by paths from the root */
export async function bundleParts(contents, outfile) {
  await build({
    stdin: { contents, resolveDir: root },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    external: ['sharp', 'libsql', '@napi-rs/keyring'],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);",
    },
  });
}
