import { cp, readFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * The data that the embedded catalogue is filled with stays JSON Lines: a program that can fill a catalogue finds
 * it in the folder `data` beside itself.
 */
const seedData = {
  name: 'seed-data',
  /** @param {import('esbuild').PluginBuild} build */
  setup({ initialOptions, onEnd, onLoad }) {
    const outdir = initialOptions.outdir ?? path.dirname(initialOptions.outfile ?? '');
    let folder = '';
    onLoad({ filter: /[\\/]sandbox[\\/]seed[\\/]content\.ts$/ }, ({ path: reader }) => {
      folder = path.join(path.dirname(reader), 'data');
      return undefined;
    });
    onEnd(async () => {
      if (folder === '') return;
      const isShipped = (/** @type {string} */ file) => file === folder || file.endsWith('.jsonl');
      await cp(folder, path.resolve(initialOptions.absWorkingDir ?? '', outdir, 'data'), {
        recursive: true,
        filter: isShipped,
      });
    });
  },
};

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
  plugins: [seedData, rawText],
  // Bundled CommonJS packages call require() for Node's own modules.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);",
  },
  logLevel: 'warning',
});
