import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';

/**
 * Puts all that each start of the server loads into one file, start.js, and the program before it, cli.js. Each file that
 * Node loads as a module costs a start as much as a thousand lines of it, and Node's loader of ES modules as much as the
 * whole server: so these two are CommonJS. The files that held the code stay where they are, for what is loaded later,
 * and pass on what is in start.js: so each module is still there once.
 * @param {{ metafile: import('esbuild').Metafile, root: string, outdir: string, program: string, started: readonly string[], banner: string }} options
 * `program`: the source file that a start begins with; `started`: those that it then loads by import(), its first import first
 */
export async function gatherStart({ metafile, root, outdir, program, started, banner }) {
  const outputs = new Map(
    Object.entries(metafile.outputs).map(([file, output]) => [path.resolve(root, file), output]),
  );
  const outputOf = (/** @type {string} */ source) => {
    for (const [file, { entryPoint }] of outputs) if (entryPoint === source) return file;
    throw new Error(`No file of the build begins with ${source}.`);
  };
  const files = new Set(started.map(outputOf));
  const [first = ''] = files;
  for (const file of files) {
    for (const { path: imported, kind } of outputs.get(file)?.imports ?? []) {
      const target = path.resolve(root, imported);
      if (kind === 'import-statement' && outputs.has(target)) files.add(target);
    }
  }
  const name = (/** @type {string} */ file) => `./${path.basename(file)}`;
  const passed = [...files].map((file, index) => ({
    file,
    names: (outputs.get(file)?.exports ?? []).map((exported) => [exported, `_${index}_${exported}`]),
  }));
  const gathered = passed.map(
    ({ file, names }) =>
      `export {${names.map(([own, alias]) => `${own} as ${alias}`)}} from '${name(file)}';`,
  );
  const common = /** @type {const} */ ({
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    minify: true,
    logLevel: 'warning',
  });
  await build({
    ...common,
    stdin: { contents: `export * from '${name(first)}';\n${gathered.join('\n')}`, resolveDir: outdir },
    outfile: path.join(outdir, 'start.js'),
    define: { 'import.meta.url': 'startUrl' },
    banner: { js: "const startUrl = require('node:url').pathToFileURL(__filename).href;" },
    plugins: [
      {
        name: 'start',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^\.\// }, ({ path: asked }) => {
            const file = path.resolve(outdir, asked);
            return files.has(file) ? { path: file } : { path: asked, external: true };
          });
          // CommonJS has a require of its own.
          onLoad({ filter: /\.mjs$/ }, async ({ path: file }) => ({
            contents: (await readFile(file, 'utf8')).replace(banner, ''),
          }));
        },
      },
    ],
  });
  for (const { file, names } of passed) {
    const exports = names.map(([own, alias]) => `${alias} as ${own}`);
    await writeFile(file, `export {${exports}} from './start.js';\n`);
  }
  await build({
    ...common,
    absWorkingDir: root,
    entryPoints: [program],
    outfile: path.join(outdir, 'cli.js'),
    // It loads start.js by require().
    supported: { 'dynamic-import': false },
    plugins: [
      {
        name: 'program',
        setup({ onResolve }) {
          onResolve({ filter: /^\.\// }, ({ kind }) =>
            kind === 'entry-point' ? null : { path: './start.js', external: true },
          );
        },
      },
    ],
  });
  await writeFile(path.join(outdir, 'package.json'), '{ "type": "commonjs" }\n');
}
