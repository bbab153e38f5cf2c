import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** The text of a file of ours, where it is imported with `?raw`, as the tests' bundler does it too. */
const rawText = {
  name: 'raw-text',
  /** @param {import('esbuild').PluginBuild} build */
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\?raw$/ }, ({ path: named, resolveDir }) => ({
      path: path.join(resolveDir, named.slice(0, -'?raw'.length)),
      namespace: 'raw',
    }));
    onLoad({ filter: /.*/, namespace: 'raw' }, async ({ path: file }) => ({
      contents: await readFile(file, 'utf8'),
      loader: 'text',
    }));
  },
};

/** How the program is bundled, for the build and for tests that bundle a part of it. */
export const bundling = /** @type {const} */ ({
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  // Native: they stay packages of their own, which the packed manifest names.
  external: ['libsql', 'sharp', '@napi-rs/keyring'],
  plugins: [rawText],
  // Bundled CommonJS packages call require() for Node's own modules.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);",
  },
  logLevel: 'warning',
});
