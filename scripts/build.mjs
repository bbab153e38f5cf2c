// Bundles the program into dist/: loaded file by file, the MCP SDK alone takes six times as long to start.
import { chmod, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { bundling } from './bundling.mjs';
import { fontPackages, writeFonts } from './fonts.mjs';
import { gatherStart } from './start-file.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const outdir = path.join(root, 'dist');

/** Zod comes with its messages in fifty languages, which nobody asks for here: more than half of what it is then. */
const zodInEnglish = {
  name: 'zod-in-english',
  setup({ onEnd, onLoad }) {
    let replaced = false;
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => {
      replaced = true;
      return { contents: "export { default as en } from './en.js';" };
    });
    onEnd(() => {
      if (replaced) return;
      throw new Error("Zod's languages are no longer where this build leaves them out.");
    });
  },
};

/**
 * oidc-provider tells its models apart by the names of their classes. Keeping names costs every start of the
 * server, which never loads it: so it is a bundle of its own.
 */
const providerApart = {
  name: 'provider-apart',
  setup({ onResolve }) {
    onResolve({ filter: /^oidc-provider$/ }, () => ({ path: './oidc-provider.mjs', external: true }));
  },
};

await rm(outdir, { recursive: true, force: true });
await mkdir(outdir, { recursive: true });
await writeRows();

const program = await build({
  absWorkingDir: root,
  entryPoints: { commands: 'src/commands/index.ts', sandbox: 'src/sandbox/main.ts' },
  outdir,
  outExtension: { '.js': '.mjs' },
  ...bundling,
  // Chunks lie beside the program, so that import.meta.url finds what else is in dist/ from any of them.
  chunkNames: '[name]-[hash]',
  minify: true,
  plugins: [...bundling.plugins, zodInEnglish, providerApart],
  legalComments: 'linked',
  metafile: true,
});
await gatherStart({
  metafile: program.metafile,
  root,
  outdir,
  program: 'src/cli.ts',
  started: ['src/commands/index.ts', 'src/commands/serve.ts'],
  banner: bundling.banner.js,
});
const provider = await build({
  ...bundling,
  absWorkingDir: root,
  splitting: false,
  entryPoints: ['oidc-provider'],
  outfile: path.join(outdir, 'oidc-provider.mjs'),
  minify: true,
  keepNames: true,
  legalComments: 'linked',
  metafile: true,
});
await writeBundled([program.metafile, provider.metafile]);
await writeDefinitions();
await cp(path.join(root, 'src', 'sandbox', 'pictures', 'motifs'), path.join(outdir, 'motifs'), {
  recursive: true,
});
await writeFonts(path.join(outdir, 'fonts'), path.join(root, 'src', 'sandbox', 'seed', 'data'));
await chmod(path.join(outdir, 'cli.js'), 0o755);

/** The rows that the embedded catalogue is filled with: compressed, they take an eighth of the room. */
async function writeRows() {
  const folder = path.join(root, 'src', 'sandbox', 'seed', 'data');
  const files = (await readdir(folder)).filter((name) => name.endsWith('.jsonl'));
  const tables = files.map(async (name) => {
    const lines = (await readFile(path.join(folder, name), 'utf8')).trimEnd().split('\n');
    return `${path.basename(name, '.jsonl')} [${lines.join(',')}]`;
  });
  const rows = gzipSync((await Promise.all(tables)).join('\n'), { level: 9 });
  await writeFile(path.join(outdir, 'catalogue.gz'), rows);
}

/** What hosts can list, made once here: from schemas it would cost each start its time. */
async function writeDefinitions() {
  const entry = path.join(outdir, 'definitions.mjs');
  await build({
    ...bundling,
    absWorkingDir: root,
    splitting: false,
    entryPoints: ['src/definitions.ts'],
    outfile: entry,
  });
  const { definitions } = await import(pathToFileURL(entry).href);
  await writeFile(path.join(outdir, 'definitions.json'), `${JSON.stringify(definitions)}\n`);
  await rm(entry);
}

/**
 * The packages that the build holds parts of, for the notice and the bill of materials.
 * @param {readonly import('esbuild').Metafile[]} metafiles
 */
async function writeBundled(metafiles) {
  const files = metafiles.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
    ),
  );
  const folders = files.map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? '');
  const fonts = fontPackages.map((name) => `node_modules/${name}`);
  const bundled = [...new Set([...folders, ...fonts])].filter((folder) => folder !== '').sort();
  await writeFile(path.join(outdir, 'bundled.json'), `${JSON.stringify(bundled, null, 1)}\n`);
}
