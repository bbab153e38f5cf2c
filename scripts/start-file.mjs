import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';

/**
 * Puts all that each start of the server loads into one file, start.js: every file that Node loads as a module costs
 * a start as much as a thousand lines of it. The files that held it stay where they are, for what is loaded later, and
 * pass on what is in start.js: so each module is still there once.
 * @param {{ metafile: import('esbuild').Metafile, root: string, outdir: string, program: string, started: readonly string[], banner: string }} options
 * `program`: the source file that a start begins with; `started`: those that it then loads by import()
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
  await build({
    stdin: { contents: gathered.join('\n'), resolveDir: outdir },
    outfile: path.join(outdir, 'start.js'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    minify: true,
    banner: { js: banner },
    logLevel: 'warning',
    plugins: [
      {
        name: 'start',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^\.\// }, ({ path: asked }) => {
            const file = path.resolve(outdir, asked);
            return files.has(file) ? { path: file } : { path: asked, external: true };
          });
          // Once is enough.
          onLoad({ filter: /\.js$/ }, async ({ path: file }) => ({
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
  // The bundler has it load its helpers beforehand: that would be start.js, before its compiled code can be asked for.
  const first = outputOf(program);
  let text = await readFile(first, 'utf8');
  for (const file of files) text = text.replace(`import"${name(file)}";`, '');
  await writeFile(first, text);
}
