// Bundles the program into dist/: loaded file by file, the MCP SDK alone takes six times as long to start.
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
// Bundled CommonJS packages call require() for Node's own modules.
const requireBanner =
  "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);";
// Native, or read as files: they stay packages of their own.
const external = ['libsql', 'sharp', '@napi-rs/keyring', 'dejavu-fonts-ttf'];
const outdir = path.join(root, 'dist');

/**
 * The SDK's server loads a JSON Schema validator at its start, a third of the time that a start takes, for the
 * answers to form elicitation. This server asks for none: what a person enters belongs on the service's pages.
 */
const withoutFormValidation = {
  name: 'without-form-validation',
  setup({ onResolve }) {
    onResolve({ filter: /\/validation\/ajv-provider\.js$/ }, ({ importer }) =>
      /[\\/]server[\\/]index\.js$/.test(importer)
        ? { path: path.join(root, 'src', 'mcp', 'no-form-validation.ts') }
        : undefined,
    );
  },
};

await rm(outdir, { recursive: true, force: true });
await mkdir(outdir, { recursive: true });

await build({
  absWorkingDir: root,
  entryPoints: { cli: 'src/cli.ts', sandbox: 'src/sandbox/main.ts' },
  outdir,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  // Chunks lie beside the program, so that import.meta.url finds what else is in dist/ from any of them.
  chunkNames: '[name]-[hash]',
  external,
  banner: { js: requireBanner },
  minify: true,
  plugins: [withoutFormValidation],
  legalComments: 'linked',
  logLevel: 'warning',
});
await writeDefinitions();
await chmod(path.join(outdir, 'cli.js'), 0o755);

/** What hosts can list, made once here: from schemas it would cost each start its time. */
async function writeDefinitions() {
  const entry = path.join(outdir, 'definitions.mjs');
  await build({
    absWorkingDir: root,
    entryPoints: ['src/definitions.ts'],
    outfile: entry,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    external,
    banner: { js: requireBanner },
    logLevel: 'warning',
  });
  const { definitions } = await import(pathToFileURL(entry).href);
  await writeFile(path.join(outdir, 'definitions.json'), `${JSON.stringify(definitions)}\n`);
  await rm(entry);
}
